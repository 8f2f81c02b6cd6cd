import { addressOf, originOf } from './address.ts'
import { failureOf } from './reply.ts'
import { TollbookError } from './tollbook-error.ts'

export type SignInOptions = {
  baseUrl: string
  /** How the service names itself where that is not `baseUrl`. */
  publicUrl?: string
  /** As viem has them: signs texts as EIP-191. */
  account: { address: string; signMessage(text: { message: string }): Promise<string> }
  fetch?: typeof fetch
}
export type SignedIn = { token: string; expiresInS: number; tier: string }

const REQUEST_MS = 30_000

/** A token for `createTollbook`, for wallets that hold the project token. Moves no money. */
export async function signIn(options: SignInOptions): Promise<SignedIn> {
  const { baseUrl, publicUrl = baseUrl, account, fetch: send = fetch } = options
  const request = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const signal = AbortSignal.timeout(REQUEST_MS)
    const reply = await send(addressOf(baseUrl, path), { ...init, redirect: 'error', signal })
    if (!reply.ok) throw await failureOf(reply)
    return (await reply.json()) as T
  }
  const wallet = account.address
  const { message, nonce } = await request<Challenge>(`/auth/challenge?wallet=${encodeURIComponent(wallet)}`)
  refuseForeign(message, new URL(publicUrl), wallet)
  const signature = await account.signMessage({ message })
  const body = JSON.stringify({ wallet, nonce, signature })
  const headers = { 'content-type': 'application/json' }
  const made = await request<Verified>('/auth/verify', { method: 'POST', headers, body })
  return { token: made.token, expiresInS: made.expires_in, tier: made.tier }
}

type Challenge = { message: string; nonce: string }
type Verified = { token: string; expires_in: number; tier: string }

/** Who signed a text of another site would let this one in there. */
function refuseForeign(message: string, own: URL, wallet: string): void {
  const [, domain = '', named] = /^(\S+) wants you to sign in [^\n]*\n(\S+)\n/.exec(message) ?? []
  const address = `${own.protocol}//${domain}`
  const isOwn = URL.canParse(address) && originOf(new URL(address)) === originOf(own)
  if (isOwn && named?.toLowerCase() === wallet.toLowerCase()) return
  const why = `the text is not for ${own.host} and ${wallet}; if the service names itself otherwise, pass publicUrl`
  throw new TollbookError(`nothing was signed: ${why}`, { kind: 'terms', body: message })
}
