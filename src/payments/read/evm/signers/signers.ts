import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../../core/time/time.ts'
import type { Hex } from '../evm-authorization.ts'
import { findSigner, type Recovered, readSignature, toRecovered } from '../evm-signature.ts'
import { packQuestions, type Question, readAnswer } from './packed.ts'

/** Whose key made this signature. A promise where another thread works it out. */
export type FindSigner = (
  hash: Uint8Array,
  signature: Hex,
) => Recovered | undefined | Promise<Recovered | undefined>

export type Signers = { find: FindSigner; close(): Promise<void> }

type Asked = {
  hash: Uint8Array
  signature: Hex
  question: Question
  resolve(signer: Recovered | undefined): void
}
/** `sent` are answered in their order; `stopWaiting` ends the wait for the first of them. */
type Thread = { worker: Worker; sent: Asked[][]; stopWaiting: () => void }
type Input = { clock: Clock; onFailure: (error: Error) => void; program?: URL }

const PROGRAM = new URL('./signer-thread.ts', import.meta.url)
const HEAP_MAX_MB = 64
/** A message takes milliseconds. Payments wait for this one, and their buyers for them. */
export const ANSWER_WITHIN_MS = 5_000
/** After a failure, before a new thread is tried. */
export const REST_MS = MINUTE_MS

/** On one core a second thread only adds the way there and back. */
export function openSigners(input: Input, cores = availableParallelism()): Signers {
  return cores > 1 ? createSignerThread(input) : { find: findSigner, close: async () => {} }
}

/**
 * Recovers signers in a thread that starts with the first payment. What arrives in one turn of the event loop goes there
 * in one message. Should the thread fail or fall silent, this one does its work, and a new one is tried a minute later.
 */
export function createSignerThread({ clock, onFailure, program = PROGRAM }: Input): Signers {
  let thread: Thread | undefined
  let isClosed = false
  let restUntilMs = Number.NEGATIVE_INFINITY
  let waiting: Asked[] = []

  const isResting = () => isClosed || clock.now() < restUntilMs
  const takeOver = async () => {
    const left = thread
    thread = undefined
    left?.stopWaiting()
    for (const { hash, signature, resolve } of [...(left?.sent.splice(0).flat() ?? []), ...waiting.splice(0)])
      resolve(findSigner(hash, signature))
    await left?.worker.terminate()
  }
  const rest = (error: Error) => {
    restUntilMs = clock.now() + REST_MS
    void takeOver()
    onFailure(error)
  }
  const fail = (failed: Thread, error: Error) => {
    // Else it is of a thread that was ended before.
    if (failed === thread) rest(error)
  }
  /** Undefined where the machine has no room for one. */
  const findThread = () => {
    try {
      return startThread(clock, program, fail)
    } catch (error) {
      return void rest(error as Error)
    }
  }
  const send = () => {
    if (waiting.length === 0) return
    thread ??= findThread()
    if (!thread) return
    const batch = waiting
    waiting = []
    if (thread.sent.push(batch) === 1) waitFor(clock, thread, fail)
    thread.worker.ref()
    thread.worker.postMessage(packQuestions(batch.map(({ question }) => question)))
  }
  return {
    find(hash, signature) {
      if (isResting()) return findSigner(hash, signature)
      const read = readSignature(signature)
      if (!read) return undefined
      return new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(send)
        waiting.push({ question: { hash, ...read }, hash, signature, resolve })
      })
    },
    close() {
      isClosed = true
      return takeOver()
    },
  }
}

type Fail = (thread: Thread, error: Error) => void

function startThread(clock: Clock, program: URL, fail: Fail): Thread {
  const worker = new Worker(program, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
  })
  const thread: Thread = { worker, sent: [], stopWaiting: () => {} }
  worker.on('message', (answers: Uint8Array) => {
    thread.stopWaiting()
    thread.sent.shift()?.forEach(({ signature, resolve }, index) => {
      const address = readAnswer(answers, index)
      resolve(address && toRecovered(address, signature))
    })
    if (thread.sent.length > 0) waitFor(clock, thread, fail)
    // Only what is waited for keeps the process alive.
    else worker.unref()
  })
  worker.on('error', (error) => fail(thread, error as Error))
  worker.once('exit', (code) => fail(thread, new Error(`the thread ended with ${code}`)))
  return thread
}

function waitFor(clock: Clock, thread: Thread, fail: Fail): void {
  thread.stopWaiting = clock.after(ANSWER_WITHIN_MS, () =>
    fail(thread, new Error(`the thread did not answer within ${ANSWER_WITHIN_MS} ms`)),
  )
}
