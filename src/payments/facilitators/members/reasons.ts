import type { RefusalReason } from '../../gate/refusal.ts'

/** Facilitators name the same finding differently from release to release. The first match counts, else `payment_refused`. */
const KNOWN_FINDINGS: readonly (readonly [RegExp, RefusalReason])[] = [
  [/insufficient|sender_ata_not_found/, 'insufficient_funds'],
  [/kyt|blacklist|blocked|frozen|sanction/, 'payer_blocked'],
  [/valid_after|not_yet_(valid|active)/, 'not_yet_valid'],
  [/valid_before|expired|blockhash/, 'expired'],
  [/recipient|receiver_mismatch|pay_?to/, 'wrong_recipient'],
  [/amount_mismatch|value_mismatch|authorization_value/, 'wrong_amount'],
  [/mint_mismatch|asset|token_(name|version)_mismatch/, 'wrong_asset'],
  [/network|scheme/, 'unsupported_network'],
  [/signature|eip712/, 'invalid_signature'],
]

/** Our stable reason for a facilitator's own words. */
export function toRefusalReason(words: string | undefined): RefusalReason {
  const known = KNOWN_FINDINGS.find(([pattern]) => pattern.test(words?.toLowerCase() ?? ''))
  return known?.[1] ?? 'payment_refused'
}

/** What keeps everybody from paying us, not only this payer. Facilitators that screen addresses say so of ours too. */
const CLOSED = /to_address_kyt|receiver_ata_not_found|paused|pay(ee|_?to)_\w*(blacklist|blocked|frozen)/

export const saysClosed = (words: string | undefined): boolean => CLOSED.test(words?.toLowerCase() ?? '')

/** "Invalid" because of the facilitator's own trouble, not of the payment: ask another one. */
const OWN_TROUBLE =
  /unexpected|unavailable|internal|rpc|rate_limit|timeout|fee_payer_not_managed|\bgas\b|_gas|gas_|insufficient\w*[ _]fee|fee_payer\w*insufficient/

export const isOwnTrouble = (words: string | undefined): boolean =>
  OWN_TROUBLE.test(words?.toLowerCase() ?? '')

const USED = /nonce|already|duplicate|authorization_(is_)?used/

/** A verify answer that can mean: somebody has submitted this payment already. */
export const saysUsed = (words: string | undefined): boolean => USED.test(words?.toLowerCase() ?? '')

/** Of the facilitator's own account, whose transactions a node takes in order. */
const OWN_ACCOUNT =
  /nonce[_ ](is[_ ])?too[_ ](low|high)|nonce provided for the transaction|nonce_(expired|gap)|underpriced/

export const saysOwnAccount = (words: string | undefined): boolean =>
  OWN_ACCOUNT.test(words?.toLowerCase() ?? '')

/**
 * Findings about the payload itself, made before anything is broadcast. Not among them: a used nonce, a failed simulation
 * or transaction, a duplicate, a pending settlement. Each of these can mean that the money has moved.
 */
const FOUND_BEFORE_BROADCAST = /^(invalid|insufficient|unsupported|asset_not_deployed|eip6492)/
const MAY_MEAN_PAID =
  /nonce|used|already|duplicate|pending|simulation|failed|transfer_event|transaction_state|unexpected|timeout/

/** True where `success: false` means for certain that this facilitator did nothing. */
export function isDefiniteRefusal(words: string | undefined): boolean {
  const said = words?.toLowerCase() ?? ''
  return FOUND_BEFORE_BROADCAST.test(said) && !MAY_MEAN_PAID.test(said)
}
