/** As x402 headers carry JSON: base64 of UTF-8, in browsers too. */
export function toBase64(value) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
/** Undefined where it is no base64 of JSON. */
export function fromBase64(text) {
    try {
        const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
        return JSON.parse(new TextDecoder().decode(bytes));
    }
    catch {
        return undefined;
    }
}
