/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Not randomUUID: pages that came by plain HTTP from another machine do not have it. @param {number} bytes */
export const randomHex = (bytes) => toHex(crypto.getRandomValues(new Uint8Array(bytes)))
