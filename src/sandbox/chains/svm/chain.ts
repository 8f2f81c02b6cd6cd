import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, address as toAddress } from '@solana/kit'
import { type Log, silentLog } from '../../../core/log.ts'
import type { Usd } from '../../../core/money.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { findFreePort } from '../../free-port.ts'
import { SVM_JOURNAL_FILE } from '../../state-files.ts'
import { SYSTEM_PROGRAM } from './accounts.ts'
import { createBlockhashes } from './blockhashes.ts'
import { openJournal } from './journal.ts'
import { createSvmMethods } from './methods.ts'
import { serveSvmRpc } from './rpc.ts'
import { createSvmRuntime } from './runtime.ts'
import { encodeUsdcAccount, findUsdcAccount, parseUsdcAccount, TOKEN_PROGRAM } from './usdc-account.ts'

/**
 * A local Solana in this process, with USDC at its canonical mint. Restarts and kills keep the accounts, the newest
 * transactions with their outcome, and the blockhashes; older transactions are dropped.
 */
export type SvmChain = {
  rpcUrl: string
  /** Also creates the USDC account: an amount of zero enables an address to receive. */
  fundUsdc(address: string, amount: Usd): Promise<void>
  fundSol(address: string, lamports: bigint): void
  /** What Circle does to an account, and what its owner can do. A closed one holds nothing any more. */
  setUsdcAccount(address: string, state: 'open' | 'frozen' | 'closed'): Promise<void>
  usdcOf(address: string): Promise<Usd>
  close(): Promise<void>
}

export type SvmChainInput = {
  dataDir: string
  clock: Clock
  /** Its USDC account is created at start: a transfer to an address without one fails. */
  payTo?: string
  log?: Log
  /** For several processes: taken where it is free, else another one. Without it the system chooses. */
  port?: number | undefined
}

/** How many signatures LiteSVM keeps to refuse duplicates. */
const REMEMBERED_SIGNATURES = 20_000n

export async function startSvmChain(input: SvmChainInput): Promise<SvmChain> {
  const { dataDir, clock, payTo, log = silentLog } = input
  mkdirSync(dataDir, { recursive: true })
  const { LiteSVM } = await import('litesvm')
  const svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(REMEMBERED_SIGNATURES)
  const journal = openJournal(join(dataDir, SVM_JOURNAL_FILE), log)
  const blockhashes = createBlockhashes({ seed: journal.seed, clock })
  const runtime = createSvmRuntime({ svm, journal, blockhashes, clock })
  const place = input.port ? { port: await findFreePort(input.port), isShared: true } : {}
  const server = await serveSvmRpc(createSvmMethods({ runtime, journal, blockhashes }), place)
  const held = (account: Address) =>
    parseUsdcAccount(runtime.find(account)?.data ?? new Uint8Array())?.amount ?? (0n as Usd)
  const fundUsdc = async (owner: string, amount: bigint) => {
    const account = await findUsdcAccount(toAddress(owner))
    const data = encodeUsdcAccount(toAddress(owner), (held(account) + amount) as Usd)
    runtime.put({ address: account, program: TOKEN_PROGRAM, data })
  }
  if (payTo) await fundUsdc(payTo, 0n)
  return {
    rpcUrl: server.url,
    fundUsdc,
    fundSol(owner, lamports) {
      const address = toAddress(owner)
      const before = runtime.find(address)?.lamports ?? 0n
      runtime.put({ address, program: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: before + lamports })
    },
    async setUsdcAccount(owner, state) {
      const account = await findUsdcAccount(toAddress(owner))
      if (state === 'closed') return runtime.close(account)
      const data = encodeUsdcAccount(toAddress(owner), held(account), state)
      runtime.put({ address: account, program: TOKEN_PROGRAM, data })
    },
    usdcOf: async (owner) => held(await findUsdcAccount(toAddress(owner))),
    async close() {
      await server.close()
      journal.close()
    },
  }
}
