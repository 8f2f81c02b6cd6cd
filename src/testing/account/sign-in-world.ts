import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createChallengeNonces } from '../../access/wallet/challenge-nonce.ts'
import { createSignIn } from '../../access/wallet/sign-in.ts'
import { createCheckProof } from '../../access/wallet/siwx.ts'
import { openTokenKeys } from '../../access/wallet/token-keys.ts'
import { createTokens } from '../../access/wallet/tokens.ts'
import type { Answer } from '../../account/services.ts'
import type { ServiceError } from '../../core/service-error.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { SignInBook } from '../../ledger/ports/sign-in-book.ts'
import type { SmartWalletSignatures } from '../../payments/read/evm/smart-wallet-signatures.ts'
import { createMemorySignInBook, createMemorySignInRows } from '../ledger/sign-in/memory-sign-in-book.ts'
import { temporaryDir } from '../ledger/temporary-dir.ts'

export const BASE_URL = 'https://tollbook.example'
const UNIT = 10n ** 18n
const CLIENT = '192.0.2.1'

type Options = {
  book?: SignInBook
  /** Has the keys; processes share it. */
  dataDir?: string
  signatures?: SmartWalletSignatures
  held?: bigint
  baseUrl?: string
}

/** The real sign-in on a clock of its own. Nobody is a contract, and everybody holds `held` tokens, unless told otherwise. */
export function createSignInWorld(options: Options = {}) {
  const { baseUrl = BASE_URL, dataDir = temporaryDir(), signatures = { holds: async () => false } } = options
  const clock = createManualClock(Date.parse('2026-01-05T12:00:00Z'))
  const book = options.book ?? createMemorySignInBook(createMemorySignInRows())
  const keys = openTokenKeys(dataDir, clock)
  const tokens = createTokens({ clock, keys, book, baseUrl })
  const chain = { held: options.held ?? 100n, isDown: false, isSilent: false, asked: 0 }
  const balanceNow = async () => {
    chain.asked++
    if (chain.isSilent) await new Promise(() => {})
    if (chain.isDown) throw new Error('no node')
    return { units: chain.held * UNIT, decimals: 18 }
  }
  const token = { balanceNow }
  const nonces = createChallengeNonces({ keys, baseUrl })
  const { challenge, verify } = createSignIn({ clock, baseUrl, nonces, book, signatures, token, tokens })
  const signIn = { challenge, verify: (answer: Answer, client = CLIENT) => verify(answer, client) }
  const paid = new Set<string>()
  const hasBought = async (wallet: string) => paid.has(wallet)
  const check = createCheckProof({ clock, baseUrl, book, signatures, hasBought })
  const checkProof = (header: string, client = CLIENT) => check(header, client)
  return { clock, book, dataDir, checkProof, paid, keys, token, tokens, signIn, chain, baseUrl }
}
export type SignInWorld = ReturnType<typeof createSignInWorld>

export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

/** A challenge of the world, answered by its wallet. */
export async function answerOf(
  { signIn }: Pick<SignInWorld, 'signIn'>,
  wallet: PrivateKeyAccount,
): Promise<Answer> {
  const { message, nonce } = signIn.challenge(wallet.address)
  return { wallet: wallet.address, nonce, signature: await wallet.signMessage({ message }) }
}

/** What the log is told of a refusal, and the caller is not. */
export const unseenOf = (made: Promise<unknown>): Promise<unknown> =>
  made.then(
    () => 'ok',
    ({ unseen }: ServiceError) => unseen,
  )

/** `ok`, or the code with the whole text that a caller sees. */
export const outcomeOf = (made: Promise<unknown>): Promise<string> =>
  made.then(
    () => 'ok',
    ({ code, message, hint }: ServiceError) => `${code}: ${message} (${hint})`,
  )
