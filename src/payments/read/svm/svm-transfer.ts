import type { Address } from '@solana/kit'
import type { Requirement } from '../../../catalog/payment-terms.ts'
import type { RefusalReason } from '../../gate/refusal.ts'
import { TOKEN_PROGRAM, type TokenAccountOf } from './svm-address.ts'
import type { Message } from './svm-transaction.ts'

/** The one transfer of a payment. */
export type Transfer = {
  /** The account that it takes from: any of the payer's. */
  source: Address
  mint: Address
  destination: Address
  authority: Address
  amount: bigint
  decimals: number
}

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
/** Assertions that wallets add to protect their owners. */
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
const SET_LIMIT = 2
const SET_PRICE = 3
const TRANSFER_CHECKED = 12
/** The exact scheme allows these instructions, in this order: limit, price, transfer, then at most four memos or assertions. */
const OPTIONAL_LIMIT = 4
/** Micro-lamports per compute unit; the scheme's bound on what a fee payer is made to spend. */
const PRICE_LIMIT = 5_000_000n
const USDC_DECIMALS = 6
const NO_BYTES = new Uint8Array()

type Instruction = { program: Address | undefined; accounts: (Address | undefined)[]; data: Uint8Array }

/** The transfer of a transaction that does exactly what the scheme allows; undefined for any other. */
export function findTransfer(message: Message): Transfer | undefined {
  if ((message.addressTableLookups ?? []).length > 0) return undefined
  // The fee payer signs without looking: no instruction may use its account.
  if (message.instructions.some(({ accountIndices = [] }) => accountIndices.includes(0))) return undefined
  const [limit, price, transfer, ...optional] = message.instructions.map((instruction) =>
    resolve(message, instruction),
  )
  if (!limit || !price || !transfer || optional.length > OPTIONAL_LIMIT) return undefined
  if (!isBudget(limit, SET_LIMIT, 5) || !isBudget(price, SET_PRICE, 9)) return undefined
  if (view(price).getBigUint64(1, true) > PRICE_LIMIT) return undefined
  if (optional.some(({ program }) => program !== MEMO && program !== LIGHTHOUSE)) return undefined
  return toTransfer(transfer)
}

export async function findTransferProblem(
  message: Message,
  transfer: Transfer,
  ours: Requirement,
  tokenAccountOf: TokenAccountOf,
): Promise<RefusalReason | undefined> {
  if (transfer.mint !== ours.asset || transfer.decimals !== USDC_DECIMALS) return 'wrong_asset'
  if (transfer.amount.toString() !== ours.amount) return 'wrong_amount'
  if (transfer.destination !== (await tokenAccountOf(ours.payTo, ours.asset))) return 'wrong_recipient'
  if (message.staticAccounts[0] !== ours.extra.feePayer) return 'wrong_terms'
  const memo = ours.extra.memo
  return memo === undefined || isOnlyMemo(message, memo) ? undefined : 'wrong_terms'
}

/** The texts of its memo instructions. */
function memosOf(message: Message): string[] {
  return message.instructions
    .map((instruction) => resolve(message, instruction))
    .filter(({ program }) => program === MEMO)
    .map(({ data }) => Buffer.from(data).toString('utf8'))
}

function isOnlyMemo(message: Message, memo: string): boolean {
  const memos = memosOf(message)
  return memos.length === 1 && memos[0] === memo
}

function toTransfer({ program, accounts, data }: Instruction): Transfer | undefined {
  if (program !== TOKEN_PROGRAM || data.length !== 10 || data[0] !== TRANSFER_CHECKED) return undefined
  const [source, mint, destination, authority, ...cosigners] = accounts
  if (!source || !mint || !destination || !authority || cosigners.length > 0) return undefined
  return {
    source,
    mint,
    destination,
    authority,
    amount: view({ data }).getBigUint64(1, true),
    decimals: data[9] ?? 0,
  }
}

function isBudget({ program, data }: Instruction, kind: number, bytes: number): boolean {
  return program === COMPUTE_BUDGET && data.length === bytes && data[0] === kind
}

function resolve(message: Message, instruction: Message['instructions'][number]): Instruction {
  const { staticAccounts } = message
  const { programAddressIndex, accountIndices = [], data = NO_BYTES } = instruction
  return {
    program: staticAccounts[programAddressIndex],
    accounts: accountIndices.map((index) => staticAccounts[index]),
    data: Uint8Array.from(data),
  }
}

function view({ data }: { data: Uint8Array }): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
