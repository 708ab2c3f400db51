// Confirms a condition that another user reported.
import { reportAnswer } from '#/features/live-reports/commands/report-answer.ts';
import { useCommand } from '#/offline/command-queue/use-command.ts';

export const command = reportAnswer('confirm_report');

export const useConfirmReport = () => useCommand(command);
