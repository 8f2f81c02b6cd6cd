/** Why a request was answered 402. Stable: part of the published interface, and never a facilitator's own text. */
export const REFUSALS = {
  payment_required: 'no payment was presented, and this call is not a free one',
  allowance_used: 'the calls of this holder are used up until midnight UTC; a payment still buys',
  malformed_payment: 'the payment header is not base64 of an x402 payment',
  unsupported_version: 'that x402 version is not supported',
  unsupported_network: 'that network or scheme is not accepted',
  wrong_terms: 'the accepted terms differ from the terms of this resource',
  wrong_amount: 'the payment is not for exactly the price of this resource',
  wrong_recipient: 'the payment goes to another recipient',
  wrong_asset: 'the payment is in another token',
  not_yet_valid: 'the payment is not valid yet',
  expired: 'the payment has expired or is about to',
  invalid_signature: 'the signature does not match the payer',
  payer_blocked:
    'the token does not let this payer pay: it is blacklisted, frozen or barred; use another wallet',
  insufficient_funds: 'the payer cannot cover the amount',
  payment_refused: 'the payment was checked and refused',
  payment_void: 'the payment expired unused; nothing was charged',
} as const satisfies Record<string, string>

export type RefusalReason = keyof typeof REFUSALS

/** The same for a person who reads the body of a 402. */
export function sentenceOf(reason: RefusalReason): string {
  const [first = '', ...rest] = REFUSALS[reason]
  return `${first.toUpperCase()}${rest.join('')}. What to pay, where and how is in accepts.`
}
