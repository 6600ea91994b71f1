// The launch script of the sandbox gateway, with the interface of PhonePe's checkout.js:
//   PhonePeCheckout.transact({tokenUrl})                            opens the pay page
//   PhonePeCheckout.transact({tokenUrl, type: "IFRAME", callback})  shows it above this page
//   PhonePeCheckout.closePage()                                     closes it
// The callback is called with "USER_CANCEL" or "CONCLUDED". Neither means that it was paid.
(function () {
  "use strict";
  var layer = null;

  function closePage() {
    if (layer) layer.remove();
    layer = null;
  }

  function end(callback, result) {
    closePage();
    if (typeof callback === "function") callback(result);
  }

  function showAbove(tokenUrl, callback) {
    closePage();
    layer = document.createElement("dialog");
    var close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close payment";
    close.addEventListener("click", function () { end(callback, "USER_CANCEL"); });
    layer.addEventListener("cancel", function () { end(callback, "USER_CANCEL"); });
    var frame = document.createElement("iframe");
    frame.title = "Payment";
    frame.width = "400";
    frame.height = "640";
    frame.addEventListener("load", function () {
      // The frame is readable again, on the shop's origin: the gateway is done.
      try {
        if (frame.contentWindow.location.origin === window.location.origin) {
          end(callback, "CONCLUDED");
        }
      } catch (other) {
        // Still on the gateway's origin.
      }
    });
    frame.src = tokenUrl;
    layer.append(close, frame);
    document.body.append(layer);
    layer.showModal();
  }

  window.PhonePeCheckout = {
    transact: function (options) {
      if (options.type === "IFRAME") showAbove(options.tokenUrl, options.callback);
      else window.location.assign(options.tokenUrl);
    },
    closePage: closePage,
  };
})();
