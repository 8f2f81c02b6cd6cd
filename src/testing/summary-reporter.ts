import { relative } from 'node:path'
import type { UserConsoleLog } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { SKIPPED } from './missing.ts'

/** Closes a run with plain lines that any log reader understands: how many passed, what was skipped, how to get it. */
export default class SummaryReporter implements Reporter {
  readonly #reasons = new Set<string>()

  onUserConsoleLog({ content }: UserConsoleLog): void {
    for (const line of content.split('\n')) if (line.startsWith(SKIPPED)) this.#reasons.add(line)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const files: string[] = []
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) count[test.result().state]++
      if (module.errors().length > 0) count.failed++
      const skipped = tests.filter((test) => test.result().state === 'skipped')
      for (const test of skipped) this.#note(test)
      if (skipped.length > 0) files.push(`${relative(process.cwd(), module.moduleId)} (${skipped.length})`)
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
    const isAll = count.skipped === 0 && this.#reasons.size === 0
    console.log(
      isAll
        ? 'nothing was skipped'
        : [...[...this.#reasons].sort(), `in ${files.sort().join(', ')}`].join('\n'),
    )
  }

  #note(test: TestCase): void {
    const result = test.result()
    if (result.state === 'skipped' && result.note) this.#reasons.add(`${SKIPPED}${result.note}`)
  }
}
