import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: ['default', './src/testing/summary-reporter.ts'],
    projects: [
      {
        extends: true,
        // The service as a whole and what takes long: each file in a process of its own. Vitest runs these first.
        test: { name: 'stories', include: ['test/**/*.test.ts', 'clients/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'units',
          include: ['src/**/*.test.ts', 'bench/**/*.test.ts'],
          isolate: false,
          setupFiles: ['./src/testing/leave-no-trace.ts'],
        },
      },
    ],
  },
})
