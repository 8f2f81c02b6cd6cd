import { z } from 'zod'
import { sleep, systemClock } from '../../src/core/time/clock.ts'
import { DAY_MS } from '../../src/core/time/time.ts'
import type { Seeded } from '../../src/testing/seeded.ts'

/** A free call that was granted, and how old its data was at least: it was made after it had been asked for. */
export type FreeCall = { client: string; day: number; ageMs: number; path: string }
export type FreeCallers = {
  granted: readonly FreeCall[]
  leave(): Promise<void>
}
export type FreeCallersInput = {
  urls: readonly [string, ...string[]]
  paths: readonly [string, ...string[]]
  callers: number
  seeded: Seeded
  heard(what: string): void
}

/** So few that each is back many times after its budget is used up, through every fault. */
const CLIENTS = 120
const NEW_CLIENT_SHARE = 0.1
const ANSWER_LIMIT_MS = 10_000
const Reply = z.object({ timestamp: z.iso.datetime() })

/** Clients that pay nothing, each at any of the addresses, with one budget a day. */
export function runFreeCallers({ urls, paths, callers, seeded, heard }: FreeCallersInput): FreeCallers {
  const granted: FreeCall[] = []
  let known = 1
  let isOver = false
  const nextClient = () => {
    if (known < CLIENTS && seeded.chance(NEW_CLIENT_SHARE)) known++
    return `10.250.0.${seeded.between(1, known)}`
  }
  const call = async () => {
    const client = nextClient()
    const path = seeded.pick(paths)
    const sentMs = Date.now()
    const reply = await fetch(`${seeded.pick(urls)}${path}`, {
      headers: { 'X-Forwarded-For': client },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    })
    const text = await reply.text()
    heard(`free ${reply.status}`)
    if (reply.status !== 200) return
    const asOfMs = Date.parse(Reply.parse(JSON.parse(text)).timestamp)
    const day = Math.floor(sentMs / DAY_MS)
    // Around midnight nobody outside knows which day it was counted for.
    if (Math.floor(Date.now() / DAY_MS) === day) granted.push({ client, path, day, ageMs: sentMs - asOfMs })
  }
  const run = async () => {
    while (!isOver) {
      await call().catch((error: Error) => heard(`free ${error.name}`))
      await sleep(systemClock, seeded.between(20, 150))
    }
  }
  const running = Promise.all(Array.from({ length: callers }, run))
  return {
    granted,
    async leave() {
      isOver = true
      await running
    },
  }
}
