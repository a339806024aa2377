// Takes the number of a scanned QR code from the address into the form. The fragment of an address
// is never sent to a server; here it leaves the address bar and the history too.
"use strict";
(() => {
  const found = /^#(\d{4})(\d{4})(\d{4})$/.exec(location.hash);
  // A page that leads to another one keeps the number for that.
  if (!found || ("tls" in document.body.dataset && !window.isSecureContext)) return;
  history.replaceState(null, "", location.pathname + location.search);
  const field = document.querySelector("input.number");
  if (!field) return; // this phone is paired already
  field.value = found.slice(1).join(" ");
  field.form.querySelector("button").focus();
})();
