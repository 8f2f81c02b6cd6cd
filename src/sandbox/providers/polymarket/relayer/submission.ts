import { type Address, getAddress, type Hex, isAddress, maxUint256, recoverTypedDataAddress } from 'viem'
import { z } from 'zod'
import { POLYMARKET_CONTRACTS } from '../../../../upstreams/polymarket/relayer/addresses.ts'
import {
  batchTypedData,
  LONGEST_VALIDITY_S,
} from '../../../../upstreams/polymarket/relayer/deposit-wallet.ts'
import type { Custody, WalletBatch } from '../../../prediction/custody.ts'

const MAX_CALLS = 50
const WireAddress = z
  .string()
  .refine((text) => isAddress(text, { strict: false }))
  .transform((text) => getAddress(text.toLowerCase()))
const Uint = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value <= maxUint256)
const Bytes = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/) as unknown as z.ZodType<Hex>
const Signature = z.string().regex(/^0x[0-9a-fA-F]{130}$/) as unknown as z.ZodType<Hex>
const Factory = WireAddress.refine((address) => address === POLYMARKET_CONTRACTS.walletFactory)
const Call = z.object({ target: WireAddress, value: Uint, data: Bytes })

const WalletCreate = z.object({ type: z.literal('WALLET-CREATE'), from: WireAddress, to: Factory })
const Wallet = z.object({
  type: z.literal('WALLET'),
  from: WireAddress,
  to: Factory,
  nonce: Uint,
  signature: Signature,
  depositWalletParams: z.object({
    depositWallet: WireAddress,
    deadline: Uint,
    calls: z.array(Call).min(1).max(MAX_CALLS),
  }),
})
const Body = z.discriminatedUnion('type', [WalletCreate, Wallet])

export type Submission =
  | { type: 'WALLET-CREATE'; owner: Address }
  | { type: 'WALLET'; owner: Address; batch: WalletBatch }

/** Why a submission is not taken, as the relayer answers it. */
export class SubmissionRefused extends Error {}

export function parseSubmission(body: Buffer): Submission {
  const parsed = Body.safeParse(parseJson(body))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new SubmissionRefused(`invalid request body: ${issue?.path.join('.') || 'type'}`)
  }
  if (parsed.data.type === 'WALLET-CREATE') return { type: 'WALLET-CREATE', owner: parsed.data.from }
  const { from, nonce, signature, depositWalletParams: params } = parsed.data
  const { depositWallet: wallet, deadline, calls } = params
  return { type: 'WALLET', owner: from, batch: { wallet, nonce, deadline, calls, signature } }
}

/** Throws `SubmissionRefused` for what the wallet would not carry out; its nonce is looked at elsewhere. */
export async function checkSubmission(
  submission: Submission,
  custody: Custody,
  nowMs: number,
): Promise<void> {
  const wallet = custody.walletOf(submission.owner)
  const isDeployed = await custody.isDeployed(wallet)
  if (submission.type === 'WALLET-CREATE') return refuseIf(isDeployed, 'wallet already deployed')
  const { batch, owner } = submission
  refuseIf(batch.wallet !== wallet, 'deposit wallet does not belong to the signer')
  refuseIf(!isDeployed, 'wallet not deployed')
  const nowS = BigInt(Math.floor(nowMs / 1000))
  refuseIf(batch.deadline < nowS, 'deadline expired')
  refuseIf(batch.deadline > nowS + BigInt(LONGEST_VALIDITY_S), 'deadline too far in the future')
  const { signature, ...unsigned } = batch
  const signer = await recoverTypedDataAddress({ ...batchTypedData(unsigned), signature }).catch(
    () => undefined,
  )
  refuseIf(signer !== owner, 'invalid signature')
}

export function refuseIf(isWrong: boolean, reason: string): void {
  if (isWrong) throw new SubmissionRefused(reason)
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
