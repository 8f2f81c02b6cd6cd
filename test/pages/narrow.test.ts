import { describe, expect, test } from 'vitest'
import { isChromiumMissing } from '../browser/chromium.ts'
import { describeVisit } from './visit.ts'

const WIDTH = 390

describe.skipIf(isChromiumMissing)('on a telephone', () => {
  const visit = describeVisit('usual')

  async function open(path: string) {
    const page = await visit.open(path)
    await page.setViewportSize({ width: WIDTH, height: 844 })
    return page
  }

  test.each(['/docs', '/agents'])('addresses of %s stand above what is said of them, whole', async (path) => {
    const page = await open(path)
    const rows = await page.locator('table.named tbody tr').evaluateAll((all) =>
      all.map((row) => {
        const [name, about] = [...row.children].map((cell) => cell.getBoundingClientRect())
        const code = row.querySelector('th code')
        return { isAbove: (name?.bottom ?? 0) <= (about?.top ?? -1), lines: code?.getClientRects().length }
      }),
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.filter(({ isAbove, lines }) => !isAbove || lines !== 1)).toEqual([])
  })

  test.each(['/', '/proof', '/price/BTC?demo=0'])('no button of %s covers code', async (path) => {
    const page = await open(path)
    await page.locator('.copy').first().waitFor()
    const covered = await page.locator('.copyable').evaluateAll((all) =>
      all.filter((each) => {
        const [code, copy] = ['pre', '.copy'].map((part) => each.querySelector(part)?.getBoundingClientRect())
        return code === undefined || copy === undefined || copy.top < code.bottom
      }),
    )
    expect(covered).toEqual([])
  })
})
