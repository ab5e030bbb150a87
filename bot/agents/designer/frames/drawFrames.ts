import { composeScreen } from '../prototype/compose.ts';
import { type Screen, STATES, type State } from '../screen/screen.ts';
import { type Style, THEMES, type Theme } from '../style/styles.ts';
import { drawBlock } from './blocksSvg.ts';
import { Pen } from './pen.ts';

/** Widths of a phone and a desktop, in CSS pixels. */
export const WIDTHS = [360, 1280] as const;

type Frame = { state: State; theme: Theme; width: number; svg: string };

/** Draws a screen in one state, theme and width as SVG. */
export function drawFrame(screen: Screen, style: Style, state: State, theme: Theme, width: number): string {
  const pen = new Pen(width, style, style[theme]);
  for (const block of composeScreen(screen, state)) drawBlock(pen, block);
  return pen.toSvg(`${screen.title}: ${state}, ${theme}, ${width} pixels wide`);
}

/** Draws every state in both themes and widths: sixteen frames. */
export const drawFrames = (screen: Screen, style: Style): Frame[] =>
  WIDTHS.flatMap((width) =>
    THEMES.flatMap((theme) =>
      STATES.map((state) => ({ state, theme, width, svg: drawFrame(screen, style, state, theme, width) })),
    ),
  );
