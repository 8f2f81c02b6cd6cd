import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ChainUnavailableError, findAnvil } from '../../../sandbox/chains/evm/anvil-binary.ts'
import { type Check, ok, warning } from '../check.ts'

const MAX_VERSION_CHARS = 80

/** That the local EVM chain can run here. Without it the service starts all the same, and sells on Solana only. */
export function anvilCheck(binary: string = findAnvil()): Check {
  return {
    name: 'anvil',
    group: 'play',
    advice: 'install again with optional packages (npm ci), or put an anvil on the PATH',
    async run(signal) {
      try {
        const { stdout } = await promisify(execFile)(binary, ['--version'], { signal })
        return ok(`runs: ${stdout.split('\n')[0]?.slice(0, MAX_VERSION_CHARS)}`)
      } catch (error) {
        if (signal.aborted) throw error
        const code = (error as { code?: unknown }).code
        return warning(new ChainUnavailableError(`${binary} --version ended with ${code}`).message)
      }
    },
  }
}
