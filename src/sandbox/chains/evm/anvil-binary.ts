import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The local EVM chain cannot run here. Whoever asked for it may go on without. */
export class ChainUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`the local EVM chain does not start (${reason}). ${WAY_OUT}`, options)
    this.name = 'ChainUnavailableError'
  }
}

// The floor of glibc is that of the official 1.7.1 build.
const WAY_OUT =
  'anvil needs Linux with glibc 2.35 or newer (Debian 12, Ubuntu 22.04; not Alpine), macOS, or Windows on x64. ' +
  'On such a machine, install again with optional packages (npm ci), or put an anvil on the PATH. ' +
  'Elsewhere, pay on Solana.'

const PROCESSORS: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }
const FILE = process.platform === 'win32' ? 'anvil.exe' : 'anvil'

/** The executable of the platform's package, else the one that the system finds on its PATH. */
export function findAnvil(): string {
  const platformPackage = `@foundry-rs/anvil-${process.platform}-${PROCESSORS[process.arch] ?? process.arch}`
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${platformPackage}/package.json`))
    const file = join(folder, 'bin', FILE)
    return existsSync(file) ? file : FILE
  } catch {
    return FILE
  }
}
