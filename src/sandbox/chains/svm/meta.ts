import type { TransactionMetadata } from 'litesvm'
import type { SvmAccount } from './accounts.ts'
import type { SvmError } from './error.ts'
import { parseUsdcAccount, SVM_USDC, TOKEN_PROGRAM, USDC_DECIMALS } from './usdc-account.ts'

export type Snapshot = readonly (SvmAccount | undefined)[]

type Executed = { err: SvmError | null; result: TransactionMetadata; before: Snapshot; after: Snapshot }

/** The `meta` of getTransaction: what the transaction did to every account it names. */
export function toMeta({ err, result, before, after }: Executed) {
  const [payerBefore] = before
  const [payerAfter] = after
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    // The fee payer transfers no lamports of its own.
    fee: Number((payerBefore?.lamports ?? 0n) - (payerAfter?.lamports ?? 0n)),
    preBalances: before.map(toLamports),
    postBalances: after.map(toLamports),
    preTokenBalances: before.flatMap(toTokenBalance),
    postTokenBalances: after.flatMap(toTokenBalance),
    innerInstructions: [],
    loadedAddresses: { readonly: [], writable: [] },
    logMessages: result.logs(),
    computeUnitsConsumed: Number(result.computeUnitsConsumed()),
    rewards: [],
  }
}

const toLamports = (account: SvmAccount | undefined) => Number(account?.lamports ?? 0n)

function toTokenBalance(account: SvmAccount | undefined, accountIndex: number) {
  const usdc = account && parseUsdcAccount(account.data)
  if (!usdc) return []
  const { owner, amount } = usdc
  return [
    { accountIndex, mint: SVM_USDC, owner, programId: TOKEN_PROGRAM, uiTokenAmount: toTokenAmount(amount) },
  ]
}

export function toTokenAmount(amount: bigint) {
  const uiAmount = Number(amount) / 10 ** USDC_DECIMALS
  return { amount: amount.toString(), decimals: USDC_DECIMALS, uiAmount, uiAmountString: String(uiAmount) }
}
