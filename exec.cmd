@echo off
rem The npm scripts start with "exec", so that on other systems no shell stands between npm and ours.
rem The command prompt has no such command; here it just runs the rest of the line.
%*
