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

  test('a table that goes on beyond the edge has a shade there until it is scrolled to its end', async () => {
    const page = await open('/status')
    const table = page.getByRole('group', { name: 'Age of prices' })
    await table.scrollIntoViewIfNeeded()
    // Narrower than any telephone, so that it goes on whatever stands in it.
    await table.evaluate((box) =>
      Object.assign((box as unknown as { style: object }).style, { maxWidth: '8rem' }),
    )
    const { x, y, width } = (await table.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    const edge = () => page.screenshot({ clip: { x: x + width - 4, y: y + 1, width: 3, height: 3 } })
    const shaded = await edge()
    await table.evaluate((box) => box.scrollTo({ left: box.scrollWidth, behavior: 'instant' }))
    const atEnd = await edge()
    await table.evaluate((box) => box.scrollTo({ left: 0, behavior: 'instant' }))
    expect([shaded.equals(atEnd), shaded.equals(await edge())]).toEqual([false, true])
  })
})

describe.skipIf(isChromiumMissing)('on a desk', () => {
  const visit = describeVisit('usual')

  test('no button of the home page covers code, however long its line is', async () => {
    const page = await visit.open('/')
    await page.setViewportSize({ width: 1280, height: 844 })
    await page.locator('.copy').first().waitFor()
    const blocks = await page.locator('.copyable').evaluateAll((all) =>
      all.map((each) => {
        const [code, copy] = ['pre', '.copy'].map((part) => each.querySelector(part)?.getBoundingClientRect())
        return { right: code?.right ?? 0, left: copy?.left ?? -1 }
      }),
    )
    expect(blocks.length).toBeGreaterThan(2)
    expect(blocks.filter(({ right, left }) => right > left)).toEqual([])
  })
})
