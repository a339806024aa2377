"""Parts that tests share: fakes of a table, boards and pictures, a browser, disks."""
