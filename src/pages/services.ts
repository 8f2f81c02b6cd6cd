import type { Site } from '../catalog/site.ts'
import type { LiveServices } from '../products/bot/live/live.ts'

export type PageServices = LiveServices & { site: Site }
