import assert from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTokens } from '../../src/app/intel/tokens.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { diagnose, toAssignment } from '../../src/intel/diagnosis/diagnose.ts'
import { startModelWorld } from '../../src/testing/intel/model-world.ts'
import { createSimulatedTokens } from '../../src/testing/tokens/simulated-tokens.ts'

const AT_MS = Date.UTC(2026, 4, 6, 1)

test('on the simulated Base the model of the sandbox passes every check, and no trap is called ready', async () => {
  const tokenClock = createManualClock(AT_MS)
  const { world, ...ports } = createSimulatedTokens({ seed: 'tokens', atMs: AT_MS, clock: tokenClock })
  const { analyst } = openTokens({ ...ports, clock: tokenClock, random: () => 0 })
  const { writer, clock } = await startModelWorld()
  const verdicts = new Map<string, number>()
  const analysing = Promise.all(world.tokens.map(({ address }) => analyst.analyse(address)))
  let isDone = false
  analysing.finally(() => {
    isDone = true
  })
  // What waits to be sent together is sent.
  while (!isDone) {
    await nextTurn()
    tokenClock.advance(25)
  }
  for (const analysis of await analysing) {
    const token = world.token(analysis.address)
    assert(token)
    // The requests of a minute are limited.
    clock.advance(3_001)
    const { writtenBy, readiness } = await diagnose(analysis, writer)
    expect(writtenBy, token.symbol).toBe('test-model')
    const assignment = toAssignment(analysis)
    expect(assignment.findFault(assignment.byRules()), token.symbol).toBeUndefined()
    const isTrap = token.traits.isHoneypot || (token.ruggedAtMs ?? AT_MS) < AT_MS
    if (isTrap) expect(readiness.verdict, token.symbol).toBe('avoid')
    verdicts.set(readiness.verdict, (verdicts.get(readiness.verdict) ?? 0) + 1)
  }
  expect([...verdicts.keys()]).toEqual(expect.arrayContaining(['avoid', 'caution', 'ready']))
})
