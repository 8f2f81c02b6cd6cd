// The charts of the live dashboard. They stand still but for new values: nothing slides, nothing can be scrolled away.
import { WINDOW_S } from '../facts.js'
import {
  BaselineSeries,
  createChart,
  createSeriesMarkers,
  LineSeries,
  LineStyle,
} from './lightweight-charts.js'

/** Draws an event; a snapshot draws everything anew. */
export function createPlots() {
  const plots = [createPricePlot(), createOddsPlot(), createImbalancePlot(), createEquityPlot()]
  const recolour = () => {
    const colours = readColours()
    for (const plot of plots) plot.colour(colours)
  }
  recolour()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour)
  return {
    draw(shown, event) {
      for (const plot of plots) plot.draw(shown, event)
    },
  }
}

/** The design system's own, as this scheme has them. A chart draws on a canvas, which knows no variables. */
function readColours() {
  const probe = document.body.appendChild(document.createElement('span'))
  const names = ['card', 'ink', 'soft', 'line', 'brand', 'up', 'down', 'idle']
  const colours = Object.fromEntries(
    names.map((name) => {
      probe.style.color = `var(--${name})`
      return [name, getComputedStyle(probe).color]
    }),
  )
  probe.remove()
  return colours
}

/** Where the ends of the scale are known, they are its ends. */
const BOUNDED = { rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.04, bottom: 0.04 } } }

/** @param {string} name */
function createPlot(name, options = {}) {
  /** @type {HTMLElement} */
  const place = document.querySelector(`[data-plot="${name}"]`)
  const empty = place.querySelector('[data-unplotted]')
  const chart = createChart(place, {
    autoSize: true,
    handleScroll: false,
    handleScale: false,
    layout: { attributionLogo: false, background: { color: 'transparent' }, fontSize: 12 },
    grid: { vertLines: { visible: false } },
    timeScale: { timeVisible: true, fixLeftEdge: true, fixRightEdge: true },
    rightPriceScale: { borderVisible: false },
    ...options,
  })
  return {
    chart,
    /** Says why nothing is drawn. */
    hasPoints(isThere) {
      empty.toggleAttribute('hidden', isThere)
      place.toggleAttribute('data-drawn', isThere)
    },
    colourChart({ soft, line }) {
      chart.applyOptions({
        layout: { textColor: soft },
        grid: { horzLines: { color: line } },
        timeScale: { borderColor: line },
        crosshair: { vertLine: { color: soft }, horzLine: { color: soft } },
      })
    },
    fit: () => chart.timeScale().fitContent(),
  }
}

/** A thin upright line where each window opens, behind the values. */
function addWindowMarks(chart, series) {
  let times = []
  let colour = ''
  const draw = (target) =>
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.fillStyle = colour
      for (const time of times) {
        const x = chart.timeScale().timeToCoordinate(time)
        if (x !== null) context.fillRect(Math.round(x), 0, 1, mediaSize.height)
      }
    })
  const views = [{ zOrder: () => 'bottom', renderer: () => ({ draw }) }]
  series.attachPrimitive({ paneViews: () => views })
  return {
    colour({ idle }) {
      colour = idle
    },
    draw(points) {
      times = points.map(([second]) => second).filter((second) => second % WINDOW_S === 0)
    },
  }
}

function createPricePlot() {
  const plot = createPlot('price')
  const line = plot.chart.addSeries(LineSeries, { lineWidth: 2, priceLineVisible: false })
  const marks = addWindowMarks(plot.chart, line)
  const arrows = createSeriesMarkers(line, [])
  let opening
  let colours
  const drawOpening = (open) => {
    if (opening) line.removePriceLine(opening)
    opening =
      open &&
      line.createPriceLine({
        price: open,
        color: colours.soft,
        lineStyle: LineStyle.Dashed,
        lineWidth: 1,
        axisLabelVisible: false,
        title: 'opened',
      })
  }
  const drawArrows = ({ signals, price }) => {
    const first = price[0]?.[0] ?? Number.POSITIVE_INFINITY
    const seen = (signals ?? []).filter(({ window_start, abstain }) => window_start >= first && !abstain)
    arrows.setMarkers(
      seen.map(({ window_start, direction, hit }) => ({
        time: window_start,
        position: direction === 'UP' ? 'belowBar' : 'aboveBar',
        shape: direction === 'UP' ? 'arrowUp' : 'arrowDown',
        color: direction === 'UP' ? colours.up : colours.down,
        text: `${direction} ${hit === null ? '' : hit ? '✓' : '✗'}`,
      })),
    )
  }
  let last
  const redraw = (shown) => {
    drawOpening(shown.window?.open_price_usd)
    drawArrows(shown)
  }
  return {
    colour(next) {
      colours = next
      plot.colourChart(next)
      marks.colour(next)
      line.applyOptions({ color: next.brand })
      if (last) redraw(last)
    },
    draw(shown, event) {
      last = shown
      plot.hasPoints(shown.price.length > 0)
      if (event.price.length > 0 || event.snapshot) {
        line.setData(shown.price.map(([time, value]) => ({ time, value })))
        marks.draw(shown.price)
        plot.fit()
      }
      if (event.snapshot || event.window || event.signals) redraw(shown)
    },
  }
}

/** Where nothing is known nothing is drawn: a line would go on to its next point, so there it is not seen. */
function toPoints(samples, part, unseen) {
  return samples.map((sample, at) => {
    const time = sample[0]
    const value = sample[part]
    if (value === null) return { time }
    return samples[at + 1]?.[part] === null ? { time, value, ...unseen } : { time, value }
  })
}
const UNSEEN_LINE = { color: 'transparent' }
const UNSEEN_AREA = Object.fromEntries(
  [
    'topLineColor',
    'topFillColor1',
    'topFillColor2',
    'bottomLineColor',
    'bottomFillColor1',
    'bottomFillColor2',
  ].map((name) => [name, 'transparent']),
)

function createOddsPlot() {
  const plot = createPlot('odds', BOUNDED)
  /** @type {import('lightweight-charts').PriceFormatCustom} */
  const format = { type: 'custom', minMove: 0.001, formatter: (value) => `${Math.round(value * 100)} %` }
  /** @type {import('lightweight-charts').LineSeriesPartialOptions} */
  const common = { lineWidth: 2, priceLineVisible: false, lastValueVisible: false, priceFormat: format }
  const market = plot.chart.addSeries(LineSeries, { ...common, lineStyle: LineStyle.Dashed })
  const ours = plot.chart.addSeries(LineSeries, {
    ...common,
    autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 1 } }),
  })
  const marks = addWindowMarks(plot.chart, ours)
  return {
    colour(colours) {
      plot.colourChart(colours)
      marks.colour(colours)
      ours.applyOptions({ color: colours.up })
      market.applyOptions({ color: colours.down })
    },
    draw({ delayed }, event) {
      plot.hasPoints(delayed.length > 0)
      if (event.delayed.length === 0 && !event.snapshot) return
      ours.setData(toPoints(delayed, 1, UNSEEN_LINE))
      market.setData(toPoints(delayed, 2, UNSEEN_LINE))
      marks.draw(delayed)
      plot.fit()
    },
  }
}

function createImbalancePlot() {
  const plot = createPlot('imbalance', BOUNDED)
  const area = plot.chart.addSeries(BaselineSeries, {
    baseValue: { type: 'price', price: 0 },
    lineWidth: 1,
    priceLineVisible: false,
    lastValueVisible: false,
    autoscaleInfoProvider: () => ({ priceRange: { minValue: -1, maxValue: 1 } }),
  })
  const marks = addWindowMarks(plot.chart, area)
  return {
    colour(colours) {
      plot.colourChart(colours)
      marks.colour(colours)
      const { up, down } = colours
      area.applyOptions({
        ...{ topLineColor: up, topFillColor1: up, topFillColor2: up },
        ...{ bottomLineColor: down, bottomFillColor1: down, bottomFillColor2: down },
      })
    },
    draw({ delayed }, event) {
      plot.hasPoints(delayed.length > 0)
      if (event.delayed.length === 0 && !event.snapshot) return
      area.setData(toPoints(delayed, 3, UNSEEN_AREA))
      marks.draw(delayed)
      plot.fit()
    },
  }
}

function createEquityPlot() {
  const plot = createPlot('equity')
  const area = plot.chart.addSeries(BaselineSeries, {
    baseValue: { type: 'price', price: 0 },
    lineWidth: 2,
    priceLineVisible: false,
    priceFormat: { type: 'price', precision: 2, minMove: 0.01 },
  })
  return {
    colour(colours) {
      plot.colourChart(colours)
      const { up, down } = colours
      area.applyOptions({
        ...{ topLineColor: up, topFillColor1: 'transparent', topFillColor2: 'transparent' },
        ...{ bottomLineColor: down, bottomFillColor1: 'transparent', bottomFillColor2: 'transparent' },
      })
    },
    draw({ equity }, event) {
      plot.hasPoints(equity.length > 0)
      if (event.equity.length === 0 && !event.snapshot) return
      area.setData(equity.map(([time, value]) => ({ time, value })))
      plot.fit()
    },
  }
}
