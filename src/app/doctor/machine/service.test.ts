import { expect, test } from 'vitest'
import { judgeHealth } from './service.ts'

test('a source that was not asked is neither well nor ill', () => {
  const checks = [
    { name: 'store', status: 'ok', detail: 'answers' },
    { name: 'goplus', status: 'idle', detail: 'not asked yet' },
  ]
  expect(judgeHealth({ status: 'ok', mode: 'paper', checks }, 'http://here', 'paper')).toEqual({
    state: 'ok',
    what: 'runs at http://here, /health says ok; not known, because not asked: goplus',
    next: [],
  })
})
