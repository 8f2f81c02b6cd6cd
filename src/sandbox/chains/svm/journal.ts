import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import { writePrivateFile } from '../../../core/private-file.ts'

const KeptAccount = z.object({
  address: z.string(),
  program: z.string(),
  lamports: z.string(),
  data: z.base64(),
})
export type KeptAccount = z.infer<typeof KeptAccount>

/** A transaction that landed, as the RPC returns it. */
const KeptTransaction = z.object({
  signature: z.string(),
  slot: z.int(),
  blockTimeS: z.int(),
  wire: z.base64(),
  addresses: z.array(z.string()),
  meta: z.looseObject({ err: z.unknown() }),
})
export type KeptTransaction = z.infer<typeof KeptTransaction>

const Line = z.object({
  seed: z.string().optional(),
  accounts: z.array(KeptAccount).default([]),
  transaction: KeptTransaction.optional(),
})
export type Entry = { accounts: KeptAccount[]; transaction?: KeptTransaction | undefined }

export type SvmJournal = {
  /** This chain's blockhashes are derived from it. */
  seed: string
  accounts: ReadonlyMap<string, KeptAccount>
  transactions: ReadonlyMap<string, KeptTransaction>
  /** No transaction was dropped from this slot on. */
  firstSlot(): number
  /** Written before it returns, so that a killed process loses nothing. Not flushed: a power cut may lose the last entries. */
  append(entry: Entry): void
  close(): void
}

/** The newest of each are kept. */
const MAX_ACCOUNTS = 20_000
const MAX_TRANSACTIONS = 2_000
const REWRITE_AFTER_LINES = 20_000

/** The state of the chain, one line per change; compacted at every start. */
export function openJournal(file: string, log: Log): SvmJournal {
  const accounts = new Map<string, KeptAccount>()
  const transactions = new Map<string, KeptTransaction>()
  let lines = 0
  const apply = ({ accounts: changed, transaction }: Entry) => {
    for (const account of changed) put(accounts, account.address, account, MAX_ACCOUNTS)
    if (transaction) put(transactions, transaction.signature, transaction, MAX_TRANSACTIONS)
  }
  let seed: string = randomBytes(32).toString('hex')
  for (const line of readLines(file, log)) {
    seed = line.seed ?? seed
    apply(line)
  }
  const rewrite = () => {
    const kept = [
      { seed, accounts: [...accounts.values()] },
      ...[...transactions.values()].map((transaction) => ({ accounts: [], transaction })),
    ]
    writePrivateFile(file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''))
    lines = 0
    return openSync(file, 'a')
  }
  let handle = rewrite()
  return {
    seed,
    accounts,
    transactions,
    firstSlot: () => (transactions.size < MAX_TRANSACTIONS ? 0 : firstOf(transactions).slot + 1),
    append(entry) {
      writeSync(handle, `${JSON.stringify(entry)}\n`)
      apply(entry)
      lines += 1
      if (lines < REWRITE_AFTER_LINES) return
      closeSync(handle)
      handle = rewrite()
    },
    close: () => closeSync(handle),
  }
}

function firstOf(transactions: ReadonlyMap<string, KeptTransaction>): KeptTransaction {
  for (const transaction of transactions.values()) return transaction
  throw new Error('there is no transaction')
}

function put<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= limit) break
    map.delete(oldest)
  }
}

function readLines(file: string, log: Log): z.infer<typeof Line>[] {
  const lines = existsSync(file) ? findLines(file) : []
  if (lines) return lines
  log.warn({ file }, 'the state of the Solana chain is damaged: it was set aside and the chain starts empty')
  renameSync(file, `${file}.damaged`)
  return []
}

/** Whether a start would go on with it. Writes nothing. */
export const isJournalReadable = (file: string): boolean => findLines(file) !== undefined

function findLines(file: string): z.infer<typeof Line>[] | undefined {
  // What follows the last line break was not written completely, so nobody was told that it landed.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  try {
    return lines.map((line) => Line.parse(JSON.parse(line)))
  } catch {
    return undefined
  }
}
