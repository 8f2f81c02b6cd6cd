import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { makeClone } from './first-hour/clone.ts'
import { startService } from './first-hour/service.ts'
import { buyingSteps } from './first-hour/steps/buying.ts'
import { healthSteps } from './first-hour/steps/health.ts'
import { installSteps } from './first-hour/steps/install.ts'
import { messageSteps } from './first-hour/steps/messages.ts'
import { numberSteps } from './first-hour/steps/numbers.ts'
import { paperSteps } from './first-hour/steps/paper.ts'
import { runningSteps } from './first-hour/steps/running.ts'
import { recordSteps, trustSteps } from './first-hour/steps/trust.ts'
import { HEADING, type Seen, walk } from './first-hour/walk.ts'

const HELP = `Walks the first hour of a buyer and of an operator in a fresh clone and prints what was seen.
  --repository DIR  what is cloned (this project)
  --keep            leaves the clone behind
It wants git, npm and any Node from 20 on, and uses nothing of this checkout but the script.`

const { values } = parseArgs({
  options: {
    repository: { type: 'string', default: dirname(import.meta.dirname) },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else await firstHour()

async function firstHour(): Promise<void> {
  const clone = makeClone(values.repository)
  const seen: Seen[] = []
  const { out } = await clone.run('node', ['-v'])
  console.log(
    `node ${out.trim()}, user ${process.getuid?.()}, ${(await hasInternet()) ? 'with' : 'without'} internet`,
  )
  console.log(HEADING)
  try {
    seen.push(...(await walk(installSteps, clone)))
    const sandbox = await startService(clone, { viaNpm: true })
    try {
      const steps = [
        ...trustSteps,
        ...runningSteps,
        ...healthSteps,
        ...messageSteps,
        ...paperSteps,
        ...buyingSteps,
        ...numberSteps,
        ...recordSteps,
      ]
      seen.push(...(await walk(steps, { clone, sandbox })))
    } finally {
      await sandbox.stop()
    }
  } finally {
    if (values.keep) console.log(`the clone: ${clone.dir}`)
    // A chain that was just stopped may still write its last state.
    else rmSync(dirname(clone.dir), { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
  const wrong = seen.filter(({ isRight }) => !isRight).length
  console.log(`\n${seen.length - wrong} of ${seen.length} steps went as they should`)
  if (wrong > 0) process.exitCode = 1
}

async function hasInternet(): Promise<boolean> {
  return fetch('https://registry.npmjs.org/', { method: 'HEAD', signal: AbortSignal.timeout(3_000) }).then(
    () => true,
    () => false,
  )
}
