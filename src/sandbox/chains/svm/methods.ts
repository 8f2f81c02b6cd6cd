import { type Address, isAddress } from '@solana/kit'
import { z } from 'zod'
import type { SvmAccount } from './accounts.ts'
import type { Blockhashes } from './blockhashes.ts'
import { RPC_ERRORS, SvmRpcError } from './error.ts'
import type { KeptTransaction, SvmJournal } from './journal.ts'
import { toTokenAmount } from './meta.ts'
import type { SvmRuntime } from './runtime.ts'
import { parseUsdcAccount } from './usdc-account.ts'

export type SvmMethods = Readonly<Record<string, (params: unknown) => unknown>>

const VERSION = { 'solana-core': '2.3.0', 'feature-set': 0 }
const MAX_LISTED = 1_000
const MAX_ASKED = 256

const Account = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'not an address')
const Signature = z.string().min(1).max(100)
const Base64Only = z.looseObject({
  encoding: z.literal('base64', { error: 'only base64 is served' }).optional(),
})
const Settings = Base64Only.nullish()

/** The part of Solana's JSON-RPC that payers, facilitators and our own reconciliation use. */
export function createSvmMethods(parts: {
  runtime: SvmRuntime
  journal: SvmJournal
  blockhashes: Blockhashes
}): SvmMethods {
  const { blockhashes } = parts
  const withContext = (value: unknown) => ({
    context: { apiVersion: '2.3.0', slot: blockhashes.slot() },
    value,
  })
  return {
    getHealth: () => 'ok',
    getVersion: () => VERSION,
    getBlockTime: on(z.tuple([z.int().min(0)]), ([slot]) => blockhashes.timeS(slot)),
    getFirstAvailableBlock: () => parts.journal.firstSlot(),
    ...transactionMethods(parts.runtime, withContext),
    ...historyMethods(parts.journal, withContext),
    ...fromSlot(blockhashes, {
      ...slotMethods(blockhashes, withContext),
      ...accountMethods(parts.runtime, withContext),
      ...listMethods(parts.journal),
    }),
  }
}

type WithContext = (value: unknown) => unknown

const Needed = z.looseObject({ minContextSlot: z.int().optional() })

/** These take the slot that the caller needs at least: a node that has not come so far refuses. */
function fromSlot(blockhashes: Blockhashes, methods: SvmMethods): SvmMethods {
  const guarded = (run: SvmMethods[string]) => (params: unknown) => {
    const last = Needed.safeParse(Array.isArray(params) ? params.at(-1) : undefined)
    const contextSlot = blockhashes.slot()
    if ((last.data?.minContextSlot ?? 0) <= contextSlot) return run(params)
    const message = 'Minimum context slot has not been reached'
    throw new SvmRpcError(RPC_ERRORS.minContextSlotNotReached, message, { contextSlot })
  }
  return Object.fromEntries(Object.entries(methods).map(([name, run]) => [name, guarded(run)]))
}

function slotMethods(blockhashes: Blockhashes, withContext: WithContext): SvmMethods {
  return {
    getSlot: () => blockhashes.slot(),
    getBlockHeight: () => blockhashes.slot(),
    getLatestBlockhash: () => withContext(blockhashes.latest()),
    isBlockhashValid: on(z.tuple([z.string()]).rest(z.unknown()), ([hash]) =>
      withContext(blockhashes.isValid(hash)),
    ),
  }
}

function accountMethods(runtime: SvmRuntime, withContext: WithContext): SvmMethods {
  const wireAccount = (address: Address) => toWireAccount(runtime.find(address))
  return {
    getAccountInfo: on(z.tuple([Account, Settings]), ([address]) => withContext(wireAccount(address))),
    getMultipleAccounts: on(z.tuple([z.array(Account).max(MAX_ASKED), Settings]), ([addresses]) =>
      withContext(addresses.map(wireAccount)),
    ),
    getBalance: on(z.tuple([Account]).rest(z.unknown()), ([address]) =>
      withContext(Number(runtime.find(address)?.lamports ?? 0n)),
    ),
    getTokenAccountBalance: on(z.tuple([Account]).rest(z.unknown()), ([address]) => {
      const usdc = parseUsdcAccount(runtime.find(address)?.data ?? new Uint8Array())
      if (!usdc) throw new SvmRpcError(RPC_ERRORS.invalidParams, 'Invalid param: could not find account')
      return withContext(toTokenAmount(usdc.amount))
    }),
    getMinimumBalanceForRentExemption: on(
      z.tuple([z.int().min(0).max(10_485_760)]).rest(z.unknown()),
      ([bytes]) => Number(runtime.rentExemption(bytes)),
    ),
  }
}

function transactionMethods(runtime: SvmRuntime, withContext: WithContext): SvmMethods {
  const SimulateSettings = Base64Only.extend({
    sigVerify: z.boolean().default(false),
    replaceRecentBlockhash: z.boolean().default(false),
  }).prefault({})
  const SendSettings = Base64Only.extend({ skipPreflight: z.boolean().default(false) }).prefault({})
  return {
    simulateTransaction: on(z.tuple([z.base64(), SimulateSettings]), ([wire, settings]) =>
      withContext({
        ...runtime.simulate(wire, settings),
        accounts: null,
        returnData: null,
        innerInstructions: null,
      }),
    ),
    sendTransaction: on(z.tuple([z.base64(), SendSettings]), ([wire, settings]) =>
      runtime.send(wire, settings),
    ),
  }
}

function historyMethods({ transactions }: SvmJournal, withContext: WithContext): SvmMethods {
  return {
    getSignatureStatuses: on(z.tuple([z.array(Signature).max(MAX_ASKED)]).rest(z.unknown()), ([signatures]) =>
      withContext(signatures.map((signature) => toStatus(transactions.get(signature)))),
    ),
    getTransaction: on(z.tuple([Signature, Base64Only]), ([signature]) => {
      const found = transactions.get(signature)
      if (!found) return null
      const { slot, blockTimeS, wire, meta } = found
      return { slot, blockTime: blockTimeS, transaction: [wire, 'base64'], meta, version: 0 }
    }),
  }
}

function listMethods({ transactions }: SvmJournal): SvmMethods {
  const Page = z.looseObject({
    limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED),
    before: Signature.optional(),
    until: Signature.optional(),
  })
  return {
    getSignaturesForAddress: on(
      z.tuple([Account, Page.prefault({})]),
      ([address, { limit, before, until }]) => {
        const newestFirst = [...transactions.values()].reverse()
        const start = before ? newestFirst.findIndex(({ signature }) => signature === before) + 1 : 0
        const end = until ? newestFirst.findIndex(({ signature }) => signature === until) : -1
        const page = newestFirst.slice(start, end === -1 ? undefined : end)
        return page
          .filter(({ addresses }) => addresses.includes(address))
          .slice(0, limit)
          .map(toListed)
      },
    ),
  }
}

/** Params are positional; trailing ones may be absent. */
function on<T extends z.ZodType>(schema: T, answer: (params: z.output<T>) => unknown) {
  return (params: unknown) => {
    const parsed = schema.safeParse(params)
    if (parsed.success) return answer(parsed.data)
    throw new SvmRpcError(RPC_ERRORS.invalidParams, `Invalid params: ${z.prettifyError(parsed.error)}`)
  }
}

function toWireAccount(account: SvmAccount | undefined) {
  if (!account) return null
  const { data, executable, lamports, program } = account
  const encoded = [Buffer.from(data).toString('base64'), 'base64']
  return {
    data: encoded,
    executable,
    lamports: Number(lamports),
    owner: program,
    rentEpoch: 0,
    space: data.length,
  }
}

function toStatus(transaction: KeptTransaction | undefined) {
  if (!transaction) return null
  const { slot, meta } = transaction
  const status = meta.err === null ? { Ok: null } : { Err: meta.err }
  return { slot, confirmations: null, err: meta.err, status, confirmationStatus: 'finalized' }
}

function toListed({ signature, slot, blockTimeS, meta }: KeptTransaction) {
  return {
    signature,
    slot,
    err: meta.err,
    memo: null,
    blockTime: blockTimeS,
    confirmationStatus: 'finalized',
  }
}
