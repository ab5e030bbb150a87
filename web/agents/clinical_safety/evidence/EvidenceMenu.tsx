import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconFileSpreadsheet, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { printPath } from '../../../../models/contracts/clinical_safety/evidence.ts';
import { downloadFailure } from '../../../data/chat.ts';
import { showFailure } from '../../../data/toasts.ts';
import { saveWorkbook } from './evidence.ts';

/** Everything about one analysis for an auditor, as a PDF or a workbook. */
export function EvidenceMenu({ id }: { id: number }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await saveWorkbook(id).catch((error: unknown) => showFailure('Download failed', downloadFailure(error)));
    setBusy(false);
  };
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          aria-busy={busy || undefined}
          rightSection={<IconChevronDown size={16} aria-hidden />}
        >
          Evidence pack
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={printPath(id)} leftSection={<IconPrinter size={16} aria-hidden />}>
          Print or save as PDF
        </Menu.Item>
        <Menu.Item onClick={save} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
          Download as Excel (.xlsx)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
