/** Charts as pure geometry, for the page, for files and for the report of a batch (src/ui/charts draws them). */
export { barFigure, barTable, type BarChart } from './bars';
export { csvText, type Cell, type Table } from './csv';
export { curveFigure, curveTable, type CurveChart, type CurvePoint } from './curves';
export { looksOf, markerAt, MARKERS, type ChartLane, type Look, type Marker } from './looks';
export {
  between,
  COLOUR_NAMES,
  DARK,
  el,
  FONT,
  FONT_SIZE,
  hint,
  label,
  LIGHT,
  painted,
  round,
  svgText,
  type Colour,
  type ColourName,
  type Figure,
  type Palette,
  type SvgNode,
} from './node';
export { frontierOf, paretoFigure, paretoTable, type ParetoChart, type ParetoPoint } from './pareto';
export { fitted, shareText, widthOf, type Share } from './parts';
export {
  COSTS,
  exactByStepOfResults,
  familiesOfResults,
  lanesOfResults,
  paretoOfResults,
  survivalOfResults,
  type CostName,
} from './results';
export { linear, logarithmic, wholeTicks, type Scale } from './scale';
