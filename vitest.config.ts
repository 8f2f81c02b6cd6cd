import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { StoriesFirst } from './src/testing/stories-first.ts'

// Node's own cache of compiled code: the processes that tests start load in half the time. Its key is the content.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'clients/**/*.test.ts'],
    // Ends what hangs. Far from what anything takes, so that a busy machine fails nothing.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // No more than there are cores: tests start browsers, chains and services of their own, and a simulated market that
    // gets no time for ten seconds has no fresh prices.
    maxWorkers: Math.max(2, availableParallelism()),
    isolate: false,
    // Node loads the tests as it loads the service: transforming two thousand modules first takes as long as a service's start.
    experimental: { viteModuleRunner: false },
    setupFiles: ['./src/testing/leave-no-trace.ts'],
    sequence: { sequencer: StoriesFirst },
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: ['default', './src/testing/summary-reporter.ts'],
  },
})
