import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { definePixel } from '../../catalog/endpoints/page.ts'
import type { CommunityServices } from './services.ts'

export const beacon = definePixel({
  id: 'community.beacon',
  path: '/analytics/beacon',
  access: free,
  summary: 'A pixel by which pages count their views',
  description:
    'A transparent GIF of one pixel. Views are counted per page and day. A visitor is known for a day at most, by a hash whose salt is random, never written down and thrown away with the day. Who sends DNT: 1 or Sec-GPC: 1 is not counted.',
  params: z.object({ page: z.string().default('/').describe('Path of the page that shows the pixel') }),
  sample: {},
  caller: true,
  handle: ({ pageViews }: CommunityServices, { page }, { client }) => pageViews.count(client, page),
})
