import type { Address } from '@solana/kit'
import type { FailedTransactionMetadata, LiteSVM, SimulatedTransactionInfo } from 'litesvm'
import type { Clock } from '../../../core/time/clock.ts'
import { closedAccount, findAccount, fromKept, putAccount, type SvmAccount, toKept } from './accounts.ts'
import type { Blockhashes } from './blockhashes.ts'
import { RPC_ERRORS, type SvmError, SvmRpcError, toSvmError } from './error.ts'
import type { SvmJournal } from './journal.ts'
import { toMeta } from './meta.ts'
import { encodeUsdcMint, SVM_USDC, TOKEN_PROGRAM } from './usdc-account.ts'
import { parseWireTransaction, type WireTransaction, withEmptySignatures } from './wire-transaction.ts'

export type Simulation = { err: SvmError | null; logs: string[]; unitsConsumed: number }
export type SimulateOptions = { sigVerify: boolean; replaceRecentBlockhash: boolean }

/** Runs transactions and keeps their results in the journal. */
export type SvmRuntime = {
  find(address: Address): SvmAccount | undefined
  put(account: Omit<SvmAccount, 'executable' | 'lamports'> & { lamports?: bigint }): void
  close(address: Address): void
  rentExemption(bytes: number): bigint
  simulate(wire: string, options: SimulateOptions): Simulation
  /** Returns the signature of a transaction that landed, even if it failed there; throws if it did not land. */
  send(wire: string, options: { skipPreflight: boolean }): string
}

export type SvmRuntimeInput = { svm: LiteSVM; journal: SvmJournal; blockhashes: Blockhashes; clock: Clock }

/** LiteSVM knows only one blockhash at a time: its check is off and `blockhashes` is checked here. */
export function createSvmRuntime({ svm, journal, blockhashes, clock }: SvmRuntimeInput): SvmRuntime {
  const processed = createProcessed(journal)
  const find = (address: Address) => findAccount(svm, address)
  const rentExemption = (bytes: number) => svm.minimumBalanceForRentExemption(BigInt(bytes))
  const put: SvmRuntime['put'] = (account) => {
    const lamports = account.lamports ?? rentExemption(account.data.length)
    putAccount(svm, { ...account, lamports })
    journal.append({ accounts: [toKept({ ...account, lamports, executable: false })] })
  }
  const simulate: SvmRuntime['simulate'] = (wire, options) => {
    const parsed = parseWireTransaction(wire)
    const refusal = refuse(parsed, options)
    return refusal ? { err: refusal, logs: [], unitsConsumed: 0 } : simulateIn(svm, parsed, options.sigVerify)
  }
  const refuse = (parsed: WireTransaction, options: SimulateOptions): SvmError | undefined => {
    if (options.sigVerify && !parsed.isFullySigned) return 'SignatureFailure'
    if (!options.replaceRecentBlockhash && !blockhashes.isValid(parsed.blockhash)) return 'BlockhashNotFound'
    return !options.replaceRecentBlockhash && processed.has(parsed.messageHash)
      ? 'AlreadyProcessed'
      : undefined
  }
  const execute = (parsed: WireTransaction, signature: string) => {
    const before = parsed.addresses.map(find)
    const result = svm.sendTransaction(parsed.transaction as SvmTransaction)
    const err = isFailed(result) ? toSvmError(result) : null
    // Any other error means that the transaction cannot land: no fee is charged and nothing is recorded.
    if (typeof err === 'string') throw refused(err, [])
    const after = parsed.addresses.map(find)
    processed.add(parsed.messageHash)
    journal.append({
      accounts: parsed.writable.map((address) => toKept(find(address) ?? closedAccount(address))),
      transaction: {
        signature,
        slot: blockhashes.slot(),
        blockTimeS: Math.floor(clock.now() / 1000),
        wire: parsed.wire,
        addresses: [...parsed.addresses],
        meta: toMeta({ err, result: isFailed(result) ? result.meta() : result, before, after }),
      },
    })
  }
  restore(svm, journal)
  return {
    find,
    put,
    close: (address) => put(closedAccount(address)),
    rentExemption,
    simulate,
    send(wire, { skipPreflight }) {
      const parsed = parseWireTransaction(wire)
      const { signature } = parsed
      if (!signature || !parsed.isFullySigned) throw refused('SignatureFailure', [])
      // As on Solana, sending a landed transaction again without preflight is no error.
      if (skipPreflight && journal.transactions.has(signature)) return signature
      const { err, logs } = simulate(wire, { sigVerify: true, replaceRecentBlockhash: false })
      if (err !== null && !(skipPreflight && typeof err === 'object')) throw refused(err, logs)
      execute(parsed, signature)
      return signature
    },
  }
}

/** Messages that ran and whose blockhash may still be valid; the oldest is dropped first. */
const MAX_PROCESSED = 20_000

function createProcessed(journal: SvmJournal) {
  const hashes = new Set(
    [...journal.transactions.values()].map(({ wire }) => parseWireTransaction(wire).messageHash),
  )
  return {
    has: (hash: string) => hashes.has(hash),
    add(hash: string) {
      hashes.add(hash)
      const [oldest] = hashes
      if (hashes.size > MAX_PROCESSED && oldest !== undefined) hashes.delete(oldest)
    },
  }
}

type SvmTransaction = Parameters<LiteSVM['sendTransaction']>[0]

function restore(svm: LiteSVM, journal: SvmJournal): void {
  for (const account of journal.accounts.values()) putAccount(svm, fromKept(account))
  const data = encodeUsdcMint()
  const lamports = svm.minimumBalanceForRentExemption(BigInt(data.length))
  putAccount(svm, { address: SVM_USDC, program: TOKEN_PROGRAM, data, lamports })
}

function simulateIn(svm: LiteSVM, { transaction }: WireTransaction, sigVerify: boolean): Simulation {
  svm.withSigverify(sigVerify)
  try {
    const result = svm.simulateTransaction(withEmptySignatures(transaction) as SvmTransaction)
    const meta = result.meta()
    const err = isFailed(result) ? toSvmError(result) : null
    return { err, logs: meta.logs(), unitsConsumed: Number(meta.computeUnitsConsumed()) }
  } finally {
    svm.withSigverify(true)
  }
}

/** Only a failure has `err`, in simulations and in real runs. */
function isFailed(
  result: FailedTransactionMetadata | SimulatedTransactionInfo | ReturnType<LiteSVM['sendTransaction']>,
): result is FailedTransactionMetadata {
  return 'err' in result
}

function refused(err: SvmError, logs: string[]): SvmRpcError {
  if (err === 'SignatureFailure') {
    return new SvmRpcError(RPC_ERRORS.signatureFailure, 'Transaction signature verification failure')
  }
  const text = typeof err === 'string' ? err : JSON.stringify(err)
  return new SvmRpcError(RPC_ERRORS.preflightFailure, `Transaction simulation failed: ${text}`, { err, logs })
}
