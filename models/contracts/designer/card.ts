import type { CatalogueAgent } from '../catalogueAgent.ts';

/** The product designer's card. */
export const designerCard: CatalogueAgent = {
  id: 'designer',
  displayName: 'Dara',
  role: 'Product designer',
  description:
    'Turns a sentence into a screen: layout, components and style for you to decide, then a clickable prototype.',
  monogram: 'DS',
  gradient: ['#6b3fa0', '#9a6bd1'],
  defaultTools: ['figma', 'dalle', 'unsplash'],
  work: [
    'screen',
    'login screen',
    'landing page',
    'mock-up',
    'mock up',
    'clickable prototype',
    'mockup',
    'wireframe',
    'prototype',
    'logo',
    'user interface',
    'page layout',
    'icon',
    'banner',
  ],
  priority: false,
  isShownAsEnterprise: true,
  status: 'working',
  inChannels:
    'The designer turns “Design a screen for …” into a layout, components and a style that you decide on, and sends a clickable prototype.',
  schedules: [
    {
      action: 'screen_design',
      label: 'Design a screen',
      doing: 'Designing a screen',
      status: 'working',
      needs: { label: 'The screen to design', example: 'A screen for nurses to record pulse and temperature' },
    },
  ],
  suggestions: [
    {
      title: 'Design a screen',
      message: 'Design a screen for nurses to record blood pressure, pulse and temperature',
    },
  ],
};
