import { describe, expect, it } from 'vitest'
import { judge } from './goals.ts'

const figure = { name: 'figure', unit: 's', digits: 1 }

describe('judge', () => {
  it('takes the median and tells the extremes', () => {
    expect(judge({ ...figure, atLeast: 2 }, [1, 5, 2])).toMatchObject({
      figure: { median: 2, min: 1, max: 5 },
      holds: true,
    })
  })

  it('says so when a goal is missed, on either side', () => {
    expect(judge({ ...figure, atLeast: 3 }, [2]).holds).toBe(false)
    expect(judge({ ...figure, below: 2 }, [2]).holds).toBe(false)
    expect(judge({ ...figure, below: 2.1 }, [2]).holds).toBe(true)
  })

  it('judges nothing without a bound, and not nothing measured', () => {
    expect(judge(figure, [2]).holds).toBeUndefined()
    expect(() => judge(figure, [])).toThrow('figure was not measured')
  })
})
