import { base58 } from '@scure/base'
import { address as svmAddress } from '@solana/kit'
import { z } from 'zod'
import { notSignedIn } from '../../account/not-signed-in.ts'
import { siwxText } from '../../account/siwx-text.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { SignInBook } from '../../ledger/ports/sign-in-book.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../payments/challenge/terms.ts'
import type { SmartWalletSignatures } from '../../payments/read/evm/smart-wallet-signatures.ts'
import { isSignedBy } from '../../payments/read/svm/svm-address.ts'
import { spendNonce } from './spend-nonce.ts'
import { isSignedByWallet } from './wallet-signature.ts'

/** `wallet` as the ledger has payers. */
export type ProvenWallet = { wallet: string; network: string }
/** Throws `unauthorized`, always with the same text, unless the wallet signed this for us, now and for the first time. */
export type CheckProof = (header: string, client: string) => Promise<ProvenWallet>

type Ports = {
  clock: Clock
  baseUrl: string
  book: Pick<SignInBook, 'spendNonce'>
  signatures: SmartWalletSignatures
  /** Of a wallet as the ledger has payers. */
  hasBought: (wallet: string) => Promise<boolean>
}

const MAX_CHARS = 12_288
const PROOF_LIFE_MS = 5 * MINUTE_MS
/** Clocks of wallets may be ahead of ours by this much. */
const AHEAD_MS = 30 * SECOND_MS
const MAX_RESOURCES = 10
const SVM_SIGNATURE_BYTES = 64

/** A new line in a field could make one text look like another. */
const Line = z.string().regex(/^[\x20-\x7e]{1,512}$/)
const Time = z.iso.datetime({ offset: true })
const Proof = z.object({
  domain: Line,
  address: Line,
  statement: Line.optional(),
  uri: Line,
  version: z.literal('1'),
  chainId: z.enum([EVM_NETWORK, SVM_NETWORK]),
  type: z.enum(['eip191', 'ed25519']),
  nonce: z.string().regex(/^[A-Za-z0-9]{8,128}$/),
  issuedAt: Time,
  expirationTime: Time.optional(),
  notBefore: Time.optional(),
  requestId: Line.optional(),
  resources: z.array(Line).max(MAX_RESOURCES).optional(),
  signature: z.string(),
})
type Proof = z.infer<typeof Proof>

export function createCheckProof(ports: Ports): CheckProof {
  const { clock, baseUrl, signatures, hasBought } = ports
  const own = new URL(baseUrl)
  const isForUs = ({ domain, uri }: Proof) =>
    domain === own.host && URL.canParse(uri) && new URL(uri).origin === own.origin
  return async (header, client) => {
    const proof = readProof(header)
    if (!proof) throw notSignedIn('proof_malformed')
    const claimed = proof.chainId === EVM_NETWORK ? proof.address.toLowerCase() : proof.address
    if (!isForUs(proof)) throw notSignedIn('proof_elsewhere', claimed)
    if (!isTimely(proof, clock.now())) throw notSignedIn('proof_expired', claimed)
    const proven = await findSigner(proof, client, signatures)
    if (!proven) throw notSignedIn('signature', claimed)
    const { wallet } = proven
    await spendNonce(ports, {
      wallet,
      nonce: proof.nonce,
      isTimely: (nowMs) => isTimely(proof, nowMs),
      isCustomer: () => hasBought(wallet),
    })
    return proven
  }
}

function readProof(header: string): Proof | undefined {
  if (header.length > MAX_CHARS) return undefined
  try {
    return Proof.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')))
  } catch {
    return undefined
  }
}

const endOf = ({ issuedAt }: Proof) => Date.parse(issuedAt) + PROOF_LIFE_MS

function isTimely(proof: Proof, nowMs: number): boolean {
  const { issuedAt, expirationTime, notBefore } = proof
  return (
    Date.parse(issuedAt) <= nowMs + AHEAD_MS &&
    nowMs < endOf(proof) &&
    (expirationTime === undefined || nowMs < Date.parse(expirationTime)) &&
    (notBefore === undefined || Date.parse(notBefore) <= nowMs)
  )
}

async function findSigner(
  proof: Proof,
  client: string,
  signatures: SmartWalletSignatures,
): Promise<ProvenWallet | undefined> {
  const { address, chainId: network, type, signature } = proof
  const text = siwxText(proof)
  if (network === SVM_NETWORK)
    return type === 'ed25519' && isSignedOnSolana(address, text, signature)
      ? { wallet: address, network }
      : undefined
  const wallet = address.toLowerCase()
  if (type !== 'eip191' || !/^0x[0-9a-f]{40}$/.test(wallet)) return undefined
  return (await isSignedByWallet({ wallet, text, signature, client }, signatures))
    ? { wallet, network }
    : undefined
}

/** Whatever cannot be read is no signature. */
function isSignedOnSolana(wallet: string, text: string, signature: string): boolean {
  try {
    const bytes = base58.decode(signature)
    return bytes.length === SVM_SIGNATURE_BYTES && isSignedBy(svmAddress(wallet), bytes, Buffer.from(text))
  } catch {
    return false
  }
}
