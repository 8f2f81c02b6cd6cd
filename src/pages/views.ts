import { analyticsView } from './analytics/analytics-view.ts'
import { consoleView } from './console/console-view.ts'
import { proofView } from './proof/proof-page.ts'
import { receiptsView } from './receipts/receipts-page.ts'
import { statusView } from './status/status-view.ts'
import type { View } from './view.ts'

const VIEWS: readonly View[] = [analyticsView, consoleView, proofView, receiptsView, statusView]

/** By the id of the product. */
export const views: ReadonlyMap<string, View> = new Map(VIEWS.map((view) => [view.id, view]))
