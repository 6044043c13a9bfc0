import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { colorOf } from './colors.ts';
import { formatLabel, formatValue } from './format.ts';
import type { ReportData, Series } from './report-data.ts';
import classes from './reports.module.css';
import { labelEvery, ticksOf, wholeTicksOf } from './scale.ts';

const HEIGHT = 280;
const MARGIN = { top: 12, right: 8, bottom: 28, left: 64 };
const LABEL_ROOM = 76;

const greatestOf = ({ labels, stacked }: ReportData, shown: Series[]): number => {
  const valuesAt = (index: number): number[] => shown.map(({ values }) => values[index] ?? 0);
  const maxima = labels.map((_, index) =>
    stacked ? valuesAt(index).reduce((total, value) => total + value, 0) : Math.max(0, ...valuesAt(index)),
  );
  return Math.max(0, ...maxima);
};

interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  series: Series;
  index: number;
}

/** Positions of the bars of one bucket; y is measured from the axis. */
const barsAt = (index: number, left: number, band: number, shown: Series[], stacked: boolean, scale: number): Bar[] => {
  const gap = Math.min(band * 0.2, 12);
  const available = Math.max(1, band - gap);
  const width = Math.min(stacked ? available : available / shown.length, 56);
  const start = left + (band - (stacked ? width : width * shown.length)) / 2;
  let base = 0;
  return shown.map((series, slot) => {
    const height = (series.values[index] ?? 0) * scale;
    const bar = { x: stacked ? start : start + slot * width, y: base, width, height, series, index };
    if (stacked) base += height;
    return bar;
  });
};

const Tip = ({ data, shown, index, left }: { data: ReportData; shown: Series[]; index: number; left: number }) => (
  <div className={classes.tip} style={{ left: `clamp(5rem, ${left}px, calc(100% - 5rem))` }} aria-hidden>
    <strong>{formatLabel(data.labels[index]!)}</strong>
    {shown.map((series, seriesIndex) => (
      <span key={series.title}>
        <i style={{ background: colorOf(series, seriesIndex) }} />
        {series.title}: {formatValue(series.values[index] ?? null, series.unit)}
      </span>
    ))}
  </div>
);

/** Bars over time. The table below is the accessible alternative. */
export const BarChart = ({ data, label }: { data: ReportData; label: string }) => {
  const { ref, width: measured } = useElementSize();
  const [hovered, setHovered] = useState<number>();
  const shown = data.series.filter(({ isTableOnly }) => !isTableOnly);
  const width = Math.max(measured, 280);
  const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const unit = shown[0]?.unit ?? 'count';
  const greatest = greatestOf(data, shown);
  const ticks = unit === 'count' ? wholeTicksOf(greatest) : ticksOf(greatest);
  const scale = inner.height / ticks.at(-1)!;
  const axisY = MARGIN.top + inner.height;
  const band = inner.width / Math.max(1, data.labels.length);
  const every = labelEvery(data.labels.length, inner.width, LABEL_ROOM);
  const middle = (index: number): number => MARGIN.left + band * (index + 0.5);
  return (
    <div ref={ref} className={classes.chart}>
      <svg width={width} height={HEIGHT} role="img" aria-label={label} onPointerLeave={() => setHovered(undefined)}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              className={classes.grid}
              x1={MARGIN.left}
              x2={width - MARGIN.right}
              y1={axisY - tick * scale}
              y2={axisY - tick * scale}
            />
            <text className={classes.axis} x={MARGIN.left - 8} y={axisY - tick * scale + 4} textAnchor="end">
              {formatValue(tick, unit)}
            </text>
          </g>
        ))}
        {data.labels.map((name, index) => (
          <g key={name} onPointerEnter={() => setHovered(index)}>
            <rect
              className={classes.band}
              data-hovered={hovered === index || undefined}
              x={MARGIN.left + band * index}
              y={MARGIN.top}
              width={band}
              height={inner.height}
            />
            {barsAt(index, MARGIN.left + band * index, band, shown, data.stacked === true, scale).map(
              (bar, seriesIndex) => (
                <rect
                  key={bar.series.title}
                  x={bar.x}
                  y={axisY - bar.y - bar.height}
                  width={Math.max(0.5, bar.width - (data.stacked ? 0 : 1))}
                  height={bar.height}
                  rx={Math.min(3, bar.width / 4)}
                  style={{ fill: colorOf(bar.series, seriesIndex) }}
                />
              ),
            )}
            {index % every === 0 && (
              <text className={classes.axis} x={middle(index)} y={HEIGHT - 8} textAnchor="middle">
                {formatLabel(name)}
              </text>
            )}
          </g>
        ))}
      </svg>
      {hovered !== undefined && hovered < data.labels.length && (
        <Tip data={data} shown={shown} index={hovered} left={middle(hovered)} />
      )}
    </div>
  );
};
