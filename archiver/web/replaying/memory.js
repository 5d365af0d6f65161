/* A replayed page has no origin, so browsers refuse it cookies and storage, and many pages fail without.
   Here they have both in memory, for as long as they are shown. WebRTC they do not have: it sends packets to
   any machine, whatever the policy of a page allows. */
(function () {
  "use strict";
  if (self.origin !== "null") { return; }
  function storage() {
    const values = new Map();
    const methods = {
      getItem: (name) => (values.has(String(name)) ? values.get(String(name)) : null),
      setItem: (name, value) => { values.set(String(name), String(value)); },
      removeItem: (name) => { values.delete(String(name)); },
      clear: () => { values.clear(); },
      key: (number) => [...values.keys()][number] ?? null,
    };
    return new Proxy(methods, {
      get: (_, name) => (name === "length" ? values.size : methods[name] ?? values.get(String(name))),
      set: (_, name, value) => { values.set(String(name), String(value)); return true; },
      has: (_, name) => name in methods || values.has(String(name)),
      deleteProperty: (_, name) => { values.delete(String(name)); return true; },
      ownKeys: () => [...values.keys()],
      getOwnPropertyDescriptor: (_, name) => (values.has(String(name))
        ? { configurable: true, enumerable: true, value: values.get(String(name)), writable: true } : undefined),
    });
  }
  const jar = new Map();
  const cookie = {
    configurable: true,
    enumerable: true,
    get: () => [...jar].map((pair) => pair.join("=")).join("; "),
    set: (text) => {
      const [pair, ...rest] = String(text).split(";");
      const [name, ...value] = pair.trim().split("=");
      const past = rest.some((one) => /^\s*(max-age=\s*(-|0\s*$)|expires=.*\b19\d\d\b)/i.test(one));
      if (past) { jar.delete(name); } else { jar.set(name, value.join("=")); }
    },
  };
  function define(owner, name, description) {
    try { Object.defineProperty(owner, name, { configurable: true, enumerable: true, ...description }); } catch { /* as it is */ }
  }
  for (const name of ["localStorage", "sessionStorage"]) {
    const made = storage();
    define(self, name, { get: () => made });
  }
  define(Document.prototype, "cookie", cookie);
  define(self, "caches", { value: undefined });
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCIceGatherer", "RTCDtlsTransport"]) {
    delete self[name];
  }
  delete Navigator.prototype.serviceWorker;
  delete self.ServiceWorkerContainer;
})();
