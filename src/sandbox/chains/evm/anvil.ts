import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Log } from '../../../core/log.ts'
import { sleep, systemClock } from '../../../core/time/clock.ts'
import { findFreePort } from '../../free-port.ts'
import { EVM_STATE_FILE } from '../../state-files.ts'
import { ChainUnavailableError, findAnvil } from './anvil-binary.ts'
import { endOrphan, recordAnvil } from './anvil-orphan.ts'
import { prepareState } from './anvil-state.ts'
import { createRpc, type Rpc } from './rpc-client.ts'

/** A local node as a child process, reachable from this machine only. It runs on the system's clock. */
export type Anvil = { rpcUrl: string; rpc: Rpc; pid: number; close(): Promise<void> }

export type AnvilInput = {
  dataDir: string
  log: Log
  binary?: string | undefined
  /** Taken where it is free, else another one. Without it the system chooses. */
  port?: number | undefined
}

const HOST = '127.0.0.1'
/** That of Base. */
export const CHAIN_ID = 8453
const START_LIMIT_MS = 15_000
const LEAVE_LIMIT_MS = 10_000
const LOOK_EVERY_MS = 10
/** What a power cut may lose. A killed parent loses nothing: see `endOrphan`. */
const SAVE_EVERY_S = 60
/** Without a number, calls under way hit states that were already pruned. */
const KEPT_STATES = 64
const MAX_REASON_CHARS = 300

export async function startAnvil({ dataDir, log, binary = findAnvil(), port }: AnvilInput): Promise<Anvil> {
  mkdirSync(dataDir, { recursive: true })
  const stateFile = resolve(dataDir, EVM_STATE_FILE)
  const pidFile = join(dataDir, 'anvil.pid')
  if (await endOrphan(pidFile, stateFile))
    log.warn({ pidFile }, 'stopped the EVM chain that a killed run left behind')
  const state = prepareState(stateFile)
  if (state === 'damaged')
    log.warn(
      { stateFile },
      'the state of the EVM chain is damaged: it was set aside and the chain starts empty',
    )
  // Another process may take the port before anvil does; anvil then fails to start and the error says so.
  const rpcUrl = `http://${HOST}:${await findFreePort(port)}`
  const errorFile = join(dataDir, 'anvil.stderr')
  const child = launch(binary, toArguments(rpcUrl, stateFile), errorFile)
  const rpc = createRpc(rpcUrl)
  const pid = await untilReady({ child, rpc, errorFile, pidFile }).catch((error) => {
    child.kill('SIGKILL')
    rmSync(pidFile, { force: true })
    throw error
  })
  const closing = endWithParent(child, log)
  return {
    rpcUrl,
    rpc,
    pid,
    async close() {
      closing()
      await end(child)
      rmSync(pidFile, { force: true })
    },
  }
}

function toArguments(rpcUrl: string, stateFile: string): string[] {
  const options = {
    host: HOST,
    port: new URL(rpcUrl).port,
    'chain-id': CHAIN_ID,
    accounts: 1,
    state: stateFile,
    'state-interval': SAVE_EVERY_S,
    'prune-history': KEPT_STATES,
  }
  return [
    '--quiet',
    '--no-cors',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]),
  ]
}

/**
 * In a process group of its own: Ctrl-C reaches the service only, which stops the chain after its last payment.
 * Errors go to a file: a pipe would break when the parent is killed.
 */
function launch(binary: string, options: string[], errorFile: string): ChildProcess {
  const errors = openSync(errorFile, 'w', 0o600)
  const child = spawn(binary, options, { stdio: ['ignore', 'ignore', errors], detached: true })
  closeSync(errors)
  return child
}

type Starting = { child: ChildProcess; rpc: Rpc; errorFile: string; pidFile: string }

async function untilReady({ child, rpc, errorFile, pidFile }: Starting): Promise<number> {
  // Read where it is told: when the chain ends later, its folder may be gone.
  let failure: (() => string) | undefined
  child.on('error', (error) => {
    failure = () => error.message
  })
  child.on('exit', (code, signal) => {
    failure ??= () => `${readErrors(errorFile)} (${signal ?? `exit code ${code}`})`
  })
  if (child.pid !== undefined) recordAnvil(pidFile, child.pid)
  for (let waitedMs = 0; waitedMs < START_LIMIT_MS; waitedMs += LOOK_EVERY_MS) {
    await sleep(systemClock, LOOK_EVERY_MS)
    if (failure !== undefined) break
    const chainId = await rpc('eth_chainId').catch(() => undefined)
    if (Number(chainId) === CHAIN_ID && child.pid !== undefined) return child.pid
  }
  throw new ChainUnavailableError(failure?.() ?? `no answer within ${START_LIMIT_MS / 1000} s`)
}

function readErrors(errorFile: string): string {
  return (
    readFileSync(errorFile, 'utf8').trim().slice(-MAX_REASON_CHARS).replaceAll('\n', ' ') ||
    'it exited at once'
  )
}

/** Stops the child with this process and logs an unexpected exit. The returned function ends both. */
function endWithParent(child: ChildProcess, log: Log): () => void {
  const leave = () => child.kill('SIGTERM')
  const missed = (code: number | null, signal: string | null) =>
    log.error({ code, signal }, 'the EVM chain stopped unexpectedly')
  process.once('exit', leave)
  child.once('exit', missed)
  return () => {
    process.off('exit', leave)
    child.off('exit', missed)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGTERM')
  const cancel = systemClock.after(LEAVE_LIMIT_MS, () => child.kill('SIGKILL'))
  await gone
  cancel()
}
