/** Where a service that listens on `host` and `port` is reached from its own machine. */
export const ownAddress = (host: string, port: number): string => `http://${reachable(host)}:${port}`

/** A wildcard address can be listened on but not called. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
