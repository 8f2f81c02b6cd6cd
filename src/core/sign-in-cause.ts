/** Why a wallet was not let in. Only the log says it: whoever tries to forge a sign-in must not learn from it. */
export type SignInCause =
  | 'nonce_unknown'
  | 'nonce_expired'
  | 'nonce_used'
  | 'message_changed'
  | 'signature'
  | 'not_a_holder'
  | 'token_missing'
  | 'token_malformed'
  | 'token_key'
  | 'token_signature'
  | 'token_claims'
  | 'token_expired'
  | 'token_revoked'
  | 'proof_malformed'
  | 'proof_elsewhere'
  | 'proof_expired'

/** For the log alone. The wallet is whole here, and only claimed unless the cause came after it was proven. */
export type Unseen = { cause: SignInCause; wallet?: string | undefined }
