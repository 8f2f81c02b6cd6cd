/**
 * What keeps a payment from being read, by its field. The list is fixed and says only what is wanted: nothing that a
 * caller sent comes back to him.
 */
export const FAULTS = {
  length: 'the header has more than 12,288 characters',
  base64:
    'the header must be standard base64, with + and /, padded with = and nothing around it; base64url is not taken',
  json: 'the base64 must hold one JSON object in UTF-8, without a name twice and at most 20 levels deep',
  x402Version: 'x402Version must be the number 2 in PAYMENT-SIGNATURE, and 1 in X-PAYMENT',
  'fields of v1': 'scheme, network and paymentRequirements do not stand at the top of a version 2 payment',
  'fields of v2': 'accepted and resource do not belong in a version 1 payment',
  scheme: 'scheme must be a text',
  network: 'network must be a text',
  accepted:
    'accepted must be an entry of accepts as it is: scheme, network, amount, asset and payTo as texts, maxTimeoutSeconds as a number, extra as an object, nothing else',
  resource: 'resource must be an object with url as a text, or be left out',
  extensions: 'extensions must be an object, or be left out',
  'payment-identifier':
    'extensions["payment-identifier"] must be an object with info, and info.id must have 16 to 128 letters, digits, - or _',
  payload: 'payload must be an object, on Base with exactly signature and authorization',
  'payload.signature':
    'payload.signature must be 0x and two hex digits for each byte, 65 bytes for a plain key',
  'payload.authorization':
    'payload.authorization must be an object with exactly from, to, value, validAfter, validBefore and nonce',
  'payload.authorization.from': 'payload.authorization.from must be 0x and 40 hex digits',
  'payload.authorization.to': 'payload.authorization.to must be 0x and 40 hex digits',
  'payload.authorization.value':
    'payload.authorization.value must be the amount as a text of decimal digits, without leading zeros',
  'payload.authorization.validAfter':
    'payload.authorization.validAfter must be seconds since 1970 as a text of at most 12 decimal digits, without leading zeros',
  'payload.authorization.validBefore':
    'payload.authorization.validBefore must be seconds since 1970 as a text of at most 12 decimal digits, without leading zeros',
  'payload.authorization.nonce': 'payload.authorization.nonce must be 0x and 64 hex digits',
  'payload.transaction':
    'payload must have exactly transaction, a signed version 0 transaction of at most 1,232 bytes in standard base64',
} as const satisfies Record<string, string>

export type Fault = keyof typeof FAULTS
