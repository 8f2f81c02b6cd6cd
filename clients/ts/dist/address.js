/** Told when the client is made: later it would look as if nobody answered. */
export function checkBaseUrl(baseUrl) {
    if (typeof baseUrl !== 'string' || !/^https?:$/.test(protocolOf(baseUrl)))
        throw new TypeError(`baseUrl is a text that begins with http:// or https://, not ${JSON.stringify(baseUrl)}`);
}
function protocolOf(address) {
    try {
        return new URL(address).protocol;
    }
    catch {
        return '';
    }
}
/** Below the base address, also where that has a path of its own; never at another host, whatever the path begins with. */
export function addressOf(baseUrl, path) {
    if (!path.startsWith('/'))
        throw new TypeError(`a path starts with a slash: /${path}`);
    return new URL(`${baseUrl.replace(/\/+$/, '')}${path}`).href;
}
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** With one name for this machine, which has several. */
export function originOf({ protocol, hostname, port }) {
    return `${protocol}//${LOOPBACK.has(hostname) ? 'localhost' : hostname}:${port}`;
}
