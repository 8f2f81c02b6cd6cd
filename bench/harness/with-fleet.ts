import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cores, pinCores } from './cpu.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { describeDisk, describeMachine } from './machine.ts'

export type Bench = { fleet: Fleet; dir: string; machine: string; pinning: string }

/** A directory and servers for as long as `work` takes; neither outlives the benchmark, however it ends. */
export async function withFleet(
  work: (bench: Bench) => Promise<void>,
  onExit: (dir: string) => void = () => {},
  cores: Cores = 1,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-bench-'))
  const pinning = pinCores(cores)
  const fleet = createFleet({ dir, pinning })
  process.once('exit', () => {
    fleet.killAll()
    onExit(dir)
    rmSync(dir, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void fleet.stopAll().finally(() => process.exit(1)))
  try {
    await work({ fleet, dir, machine: `${describeMachine()}, ${describeDisk(dir)}`, pinning: pinning.note })
  } finally {
    await fleet.stopAll()
  }
}
