import { type Address, getAddress } from 'viem'
import { challengeText } from '../../account/challenge-text.ts'
import { notAHolder } from '../../account/not-a-holder.ts'
import { notSignedIn } from '../../account/not-signed-in.ts'
import type { SignIn } from '../../account/services.ts'
import { tierOf } from '../../account/tiers.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { SignInBook } from '../../ledger/ports/sign-in-book.ts'
import type { SmartWalletSignatures } from '../../payments/read/evm/smart-wallet-signatures.ts'
import type { ChallengeNonces } from './challenge-nonce.ts'
import type { ProjectToken } from './project-token.ts'
import { spendNonce } from './spend-nonce.ts'
import { TOKEN_LIFE_MS } from './token-life.ts'
import type { Tokens } from './tokens.ts'
import { isSignedByWallet } from './wallet-signature.ts'

type Ports = {
  clock: Clock
  baseUrl: string
  nonces: ChallengeNonces
  book: Pick<SignInBook, 'spendNonce'>
  signatures: SmartWalletSignatures
  token: Pick<ProjectToken, 'balanceNow'>
  tokens: Pick<Tokens, 'issue'>
}

/** A wallet asks for a text, signs it, and gets a token if it holds the project token. */
export function createSignIn(ports: Ports): SignIn {
  const { clock, baseUrl, nonces, signatures, token, tokens } = ports
  return {
    challenge(wallet) {
      const made = nonces.make(wallet.toLowerCase(), clock.now())
      return { ...made, wallet: getAddress(wallet as Address), message: challengeText(baseUrl, made) }
    },
    async verify({ signature, nonce, message, ...answer }, client) {
      const wallet = answer.wallet.toLowerCase()
      const asked = nonces.open(nonce, wallet, clock.now())
      // Before the chain is asked: whoever has no challenge of ours costs us nothing.
      if ('fault' in asked) throw notSignedIn(asked.fault, wallet)
      const text = challengeText(baseUrl, asked)
      if ((message ?? text) !== text) throw notSignedIn('message_changed', wallet)
      if (!(await isSignedByWallet({ wallet, text, signature, client }, signatures)))
        throw notSignedIn('signature', wallet)
      const balance = await token.balanceNow(wallet)
      const tier = tierOf(balance)
      // It opens nothing, so nothing has to be remembered of it.
      if (tier.callsPerDay === 0) throw notAHolder(wallet)
      // Last: a chain that could not be asked has not used up the challenge.
      const isTimely = (nowMs: number) => nowMs < asked.expiresMs
      await spendNonce(ports, { wallet, nonce, isTimely, isCustomer: async () => true })
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
