import { randomBytes } from 'node:crypto'
import { type Address, getAddress } from 'viem'
import { challengeText } from '../../account/challenge-text.ts'
import { notSignedIn } from '../../account/not-signed-in.ts'
import type { Answer, SignIn } from '../../account/services.ts'
import { tierOf } from '../../account/tiers.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { NonceRow, SignInBook } from '../../ledger/ports/sign-in-book.ts'
import type { SmartWalletSignatures } from '../../payments/read/evm/smart-wallet-signatures.ts'
import type { ProjectToken } from './project-token.ts'
import { TOKEN_LIFE_MS } from './token-life.ts'
import type { Tokens } from './tokens.ts'
import { isSignedByWallet } from './wallet-signature.ts'

const CHALLENGE_LIFE_MS = 5 * MINUTE_MS
const NONCE_BYTES = 16

type Ports = {
  clock: Clock
  baseUrl: string
  book: Pick<SignInBook, 'addNonce' | 'findNonce' | 'useNonce'>
  signatures: SmartWalletSignatures
  token: Pick<ProjectToken, 'balanceNow'>
  tokens: Pick<Tokens, 'issue'>
}

/** A wallet asks for a text, signs it, and gets a token if it holds the project token. */
export function createSignIn(ports: Ports): SignIn {
  const { clock, baseUrl, book, token, tokens } = ports
  return {
    async challenge(wallet) {
      const row = newChallenge(wallet.toLowerCase(), clock.now())
      if (!(await book.addNonce(row, row.issuedMs)))
        throw new ServiceError('store_unavailable', 'too many challenges wait for their answers')
      return { ...row, wallet: getAddress(wallet as Address), message: challengeText(baseUrl, row) }
    },
    async verify(answer) {
      const wallet = answer.wallet.toLowerCase()
      if (!(await isAnswered(ports, { ...answer, wallet }))) throw notSignedIn()
      const balance = await token.balanceNow(wallet)
      // Last: a chain that could not be asked has not used up the challenge.
      if (!(await book.useNonce(answer.nonce, clock.now()))) throw notSignedIn()
      const tier = tierOf(balance)
      if (tier.callsPerDay === 0)
        throw new ServiceError('forbidden', 'this wallet holds less than one project token', {
          hint: 'GET /deep/info names the token; without it pay per call through x402',
        })
      return {
        token: await tokens.issue(wallet, tier),
        expiresInS: TOKEN_LIFE_MS / 1000,
        wallet: getAddress(wallet as Address),
        tier,
        balance,
      }
    },
  }
}

const newChallenge = (wallet: string, nowMs: number): NonceRow => ({
  nonce: randomBytes(NONCE_BYTES).toString('hex'),
  wallet,
  issuedMs: nowMs,
  expiresMs: nowMs + CHALLENGE_LIFE_MS,
})

/**
 * Every answer takes the same steps, also one without a challenge: how long it takes does not tell what was wrong.
 */
async function isAnswered({ clock, baseUrl, book, signatures }: Ports, answer: Answer): Promise<boolean> {
  const { wallet, signature, nonce, message } = answer
  const found = await book.findNonce(nonce)
  const isOurs = found !== undefined && found.wallet === wallet && clock.now() < found.expiresMs
  const text = challengeText(baseUrl, isOurs ? found : newChallenge(wallet, clock.now()))
  const isSigned = await isSignedByWallet({ wallet, text, signature }, signatures)
  return isOurs && isSigned && (message === undefined || message === text)
}
