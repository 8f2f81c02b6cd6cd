import { ServiceError } from '../core/service-error.ts'
import type { Clock } from '../core/time/clock.ts'
import type { TokenFactsReader } from '../intel/tokens/facts/token-facts.ts'
import type { PaymentLedger } from '../ledger/ports/payment-book-queries.ts'
import type { ChallengeFacts } from './challenge-text.ts'
import type { Balance, Tier } from './tiers.ts'

export type AccountServices = {
  clock: Clock
  /** Undefined: no project token is configured, or its chain is not there. */
  holders: HolderServices | undefined
  revoke(token: { id: string; expiresMs: number }): Promise<void>
  /** Public keys of tokens (RFC 7517). */
  jwks(): readonly { kid: string; kty: string; crv: string; x: string }[]
  /** What wallets bought. */
  purchases: Pick<PaymentLedger, 'purchasesOf' | 'findById'>
  baseUrl: string
  newNonce(): string
  sourceOf(source: string): string
}

export type HolderServices = {
  signIn: SignIn
  token: ProjectTokenFacts
  /** What others know of tokens. */
  facts: Pick<TokenFactsReader, 'readOne'>
}

/** Everything throws a `ServiceError`; `verify` throws one and the same for every answer that is not good. */
export type SignIn = {
  challenge(wallet: string): ChallengeFacts & { message: string }
  verify(answer: Answer, client: string): Promise<SignedIn>
}
export type Answer = { wallet: string; signature: string; nonce: string; message?: string | undefined }
export type SignedIn = { token: string; expiresInS: number; wallet: string; tier: Tier; balance: Balance }

export type ProjectTokenFacts = {
  address: string
  balance(wallet: string): Promise<Balance & { asOfMs: number }>
  onChain(): Promise<OnChain>
}
export type OnChain = {
  name: string | undefined
  symbol: string | undefined
  decimals: number
  totalSupply: bigint
  block: number
  asOfMs: number
}

export function holdersOf({ holders }: AccountServices): HolderServices {
  if (holders) return holders
  throw new ServiceError(
    'not_found',
    'no project token is configured here, so there is no sign-in for holders',
    {
      hint: 'pay per call through x402, or use the free calls',
    },
  )
}
