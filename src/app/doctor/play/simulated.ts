import { type Check, skipped } from '../check.ts'

/** The world of the sandbox is a part of the service. */
export function simulatedCheck(): Check {
  return {
    name: 'outside-world',
    group: 'play',
    advice: '',
    run: async () =>
      skipped(
        'sandbox mode simulates venues, oracle, prediction market, sources of intelligence, chains and facilitator inside the service: ' +
          'they are there only while it runs; the lines "service" and "simulated-…" tell what its /health says of them',
      ),
  }
}
