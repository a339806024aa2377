"""The services: units, installer, boot configuration, archive of a release."""
